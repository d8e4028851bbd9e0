"""Values as text: every function returns a string or plain data, and prints nothing."""
