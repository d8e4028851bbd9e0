"""Moderator and scorekeeper for The Poll Game and Dice Democracy."""

__version__ = "0.1.0"
