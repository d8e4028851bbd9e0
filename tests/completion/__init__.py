"""Completion: what is offered, and what the shells make of it."""
