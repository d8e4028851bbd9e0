"""How a command ends before its time."""


class Ended(Exception):
    """The end of a command with an exit status of its own."""

    def __init__(self, status: int, text: str) -> None:
        """Keep the status, and the sentence for standard error; empty where nothing is to say."""
        super().__init__(text)
        self.status = status
