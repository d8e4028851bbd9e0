"""Any commands in any order, beside a plain model: the suite's state machine, longer."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from functools import partial

from hypothesis import HealthCheck, Verbosity, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.campaigns.campaign import Broken, Campaign, Case, Plan
from tests.commands.test_stateful import Evening

EXAMPLES = 25


def cases(plan: Plan) -> Iterator[Case]:
    """Batches of evenings, each from a seed of its own."""
    for number in range(plan.pick(50, 2_000) // EXAMPLES):
        name = f"{EXAMPLES} evenings of seed {plan.seed + number}"
        yield Case(name, partial(play, plan.seed + number), EXAMPLES)


def play(number: int) -> str:
    """Play evenings; raises Broken with the shortest one that differs from the model."""
    profile = settings(
        max_examples=EXAMPLES,
        stateful_step_count=25,
        deadline=None,
        database=None,
        print_blob=False,
        verbosity=Verbosity.normal,
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(seed(number)(Evening), settings=profile)
    except Exception as fault:  # noqa: BLE001 - whatever it finds, it is told
        notes = "\n".join(getattr(fault, "__notes__", ()))
        raise Broken(f"{traceback.format_exc(limit=-2)}{notes}") from None
    return "evenings as the model says"


CAMPAIGN = Campaign(
    "commands",
    "After any sequence of commands the log and the scores are those of a plain model.",
    cases,
)
