"""What a person reads: calm lines of at most 80 columns where the names allow it."""

from collections.abc import Iterable, Iterator, Sequence

from click import style

from pollctl.model import Award, Event, Problem, Round, Step
from pollctl.replay import Replay
from pollctl.session import Session
from pollctl.standings import standings
from pollctl.text import listing, pad, shown, width, wrapped
from pollctl.wording import event_words, field_words, left_alone, signed

COLUMNS = 80


class Loud(str):
    """A line that stands out in a terminal: a heading, a winner."""

    __slots__ = ()


class Exact(Loud):
    """A line that is to be typed as it stands: never cut, so that it can be copied."""

    __slots__ = ()


class Soft(str):
    """A line that stands back: a receipt."""

    __slots__ = ()


def opened(file: str, session: Session, *, guided: bool = False) -> str:
    """A new session: who plays, what the board is taken to be, how to begin.

    A host who is guided was asked about the board, and is told how to begin.
    """
    opening, game = session.game.opening, session.game.opening.game
    lines = [f"Opened {file}: {game.title}, clockwise {listing(opening.players)}."]
    if opening.start:
        begun = [f"{player} {score}" for player, score in session.game.state.scores.items()]
        lines.append(f"It begins with {listing(begun)} {game.unit}.")
    lines += [] if guided else _first_steps(session)
    return joined([Loud(lines[0]), *lines[1:], receipt_line(session.log.receipt)])


def _first_steps(session: Session) -> Iterator[str]:
    """What has to be right about the box, whose turn it is, and how to record a round."""
    opening, game = session.game.opening, session.game.opening.game
    for key in game.keys:
        if key.aloud:
            value = opening.rules[key.name]
            yield f"There are {value} {key.text}; if not: new … --rule {key.name}=N."
    yield next_line(session.game)
    if not session.game.state.contenders:
        ballots = " ".join([game.ballot.example] * len(opening.players))
        yield f"Record it with: pollctl round add {ballots}"


def receipt_line(receipt: str) -> str:
    """The receipt of the last entry."""
    return Soft(f"Receipt {receipt}")


def standings_head(game: Replay) -> str:
    """The line above the standings: title, game, round."""
    opening = game.opening
    title = f"{opening.title} · " if opening.title else ""
    return joined([Loud(f"{title}{opening.game.title} · {_place(game)}")])


def standings_foot(game: Replay) -> str:
    """The lines below the standings: what was passed over, who wins or is next."""
    return joined([*problem_lines(game.problems, game.strays), next_line(game)])


def explained(game: Replay, steps: Sequence[Step], player: str | None) -> str:
    """Every point of these rounds, or only one player's, each with its clause."""
    lines: list[str] = []
    for step in steps:
        lines += [round_head(game, step.round)]
        lines += step_lines(step, player)
        lines.append("")
    if game.state.winners and not (game.last and game.last.after.winners):
        lines += [f"{left_alone(game)}.", ""]
    for name in [player] if player else game.state.scores:
        lines.append(_sum(game, steps, name))
    return joined(lines)


def round_shown(game: Replay, number: int) -> str:
    """One round, which may be voided: what was recorded, and what it scored."""
    every = {each.number: each for each in (*game.history.voided, *game.history.rounds)}
    lines = [round_head(game, every[number])]
    for field in game.opening.game.fields:
        head = field.name in ("question", game.opening.game.role)
        if field.name in every[number].fields and not head:
            words = field_words(game.opening.game, field, every[number].fields[field.name])
            lines.append(f"  {field.name.replace('_', ' '):<12} {words}")
    for step in game.steps:
        if step.round.number == number:
            return joined([*lines, *step_lines(step, None)])
    return joined([*lines, "  Voided: as if never played."])


def next_line(game: Replay) -> str:
    """Who is next, or how it ended."""
    state, opening = game.state, game.opening
    if game.status == "finished":
        verb = "wins" if len(state.winners) == 1 else "share the win"
        return Loud(f"{listing(state.winners)} {verb}. The game is over.")
    if game.status == "abandoned":
        return "The evening ended before the game did: no winner."
    line = f"Next: round {game.next_number}, {game.turn} is the {opening.game.role}."
    if state.contenders:
        return f"{line} Tie-break: {listing(state.contenders)}."
    return line


def log_lines(session: Session) -> str:
    """The events as recorded, those taken back marked."""
    game, fallen = session.game.opening.game, session.game.history.fallen
    digits = len(str(len(session.log.events)))

    def line(event: Event) -> str:
        mark = "x" if event.seq in fallen else " "
        head = f"{event.seq:>{digits}} {mark} {event.at:%H:%M}  "
        return wrapped(shown(head + event_words(game, event)), COLUMNS, len(head))

    lines = [line(event) for event in session.log.events]
    if fallen:
        lines.append(f"{' ' * digits} x marks what was taken back.")
    return "\n".join([*lines, joined([receipt_line(session.log.receipt)])])


def joined(lines: Iterable[str]) -> str:
    """The lines as one text, safe to show and wrapped at 80 columns."""
    return "\n".join(_styled(line, _fitted(line)) for line in lines)


def _fitted(line: str) -> str:
    return shown(line) if isinstance(line, Exact) else wrapped(shown(line), COLUMNS, 4)


def _styled(line: str, text: str) -> str:
    if isinstance(line, Loud):
        return style(text, bold=True)
    return style(text, dim=True) if isinstance(line, Soft) else text


def _place(game: Replay) -> str:
    """`round 3 of 6`, `after 4 rounds`."""
    played, total = game.state.played, game.rounds_total
    if total is not None:
        return f"round {played} of {total}"
    return f"after {played} round{'' if played == 1 else 's'}"


def round_head(game: Replay, each: Round) -> str:
    """The number, whose turn, and the question of a round."""
    question = each.fields.get("question")
    asked = f" · “{question}”" if question else ""
    role = game.opening.game.role
    return Loud(f"Round {each.number} · {each.fields.get(role)}, {role}{asked}")


def step_lines(step: Step, player: str | None) -> Iterator[str]:
    """What a round counted, whom it moved (or one player only), what it decided."""
    if step.outcome is None:
        yield from problem_lines(step.problems)
        return
    counted, *decided = [f"  {note.text}." for note in step.outcome.notes] or [""]
    if counted:
        yield counted
    awards = [award for award in step.outcome.awards if player in (None, award.player)]
    yield from award_lines(awards)
    if not awards:
        yield f"  {player} does not move." if player else "  Nobody moves."
    yield from decided


def award_lines(awards: Sequence[Award]) -> Iterator[str]:
    """Awards, a line each, aligned."""
    name = max((width(award.player) for award in awards), default=0)
    for award in awards:
        moved = f"{signed(award.change):>4}  {f'{award.before} → {award.after}':<8}"
        yield f"  {pad(award.player, name)} {moved} {award.rule:<4}{award.text}"


def problem_lines(problems: Iterable[Problem], strays: Sequence[Problem] = ()) -> Iterator[str]:
    """Why rounds are passed over and, where a problem is a stray, who left or joined."""
    for problem in problems:
        where = f"Round {problem.round} is passed over"
        if problem in strays:
            after = f"after round {problem.round}" if problem.round else "before the first round"
            where = f"Passed over {after}"
        yield f"  {where}: {with_clause(problem.rule, problem.text)}."


def with_clause(rule: str, text: str) -> str:
    """A sentence with the clause that says so, where one does."""
    return f"{text} ({rule})" if rule else text


def standings_lines(game: Replay, *more: str, columns: int = COLUMNS) -> Iterator[str]:
    """The standings, and what more is said, in as many lines as the columns ask for."""
    entries = [
        f"{row.player} {row.score} (left)"
        if row.rank is None
        else f"{row.rank}. {row.player} {row.score}"
        for row in standings(game)
    ]
    line = ""
    for entry in (*entries, *more):
        if line and width(line) + width(entry) + 3 > columns:
            yield line
            line = ""
        line += f"   {entry}" if line else entry
    yield line


def _sum(game: Replay, steps: Sequence[Step], player: str) -> str:
    """`Ann: 3 + 4 = 7`, over these rounds."""
    played = [step for step in steps if player in step.before.scores]
    begin = played[0].before.scores[player] if played else game.state.scores[player]
    end = played[-1].after.scores[player] if played else begin
    return f"{player}: {begin} {'-' if end < begin else '+'} {abs(end - begin)} = {end}"
