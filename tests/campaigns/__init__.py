"""Campaigns: many cases against the promises a session file makes, rerun with one command.

`python -m tests.campaigns [NAME ...] [--long] [--seed N] [--case N] [--minutes N]`
"""
