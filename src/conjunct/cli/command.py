"""The command group: loads a subcommand by name, turns every failure into one line and an exit code."""

from __future__ import annotations

import gc
import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from conjunct import __version__
from conjunct.cli.steps import doing
from conjunct.cli.streams import prepare_streams, silence_stdout
from conjunct.errors import ConjunctError
from conjunct.messages import nearest_names, printable, shortened

__all__ = ["main"]

COMMANDS = {
    "demo": "the best trees of embedded tables with proof, and exact learning",
    "describe": "say how a table is read",
    "fit": "learn a model from a table",
    "predict": "apply a model to a table",
    "evaluate": "score a model on a table with labels",
    "rules": "show what a model has learned as rules",
    "explain": "say why a row got its label",
    "certify": "find the cheapest decision tree, and prove that none is cheaper",
    "check": "prove a certificate again, from the table alone",
    "lab": "run an experiment: numbers, figure, verdict against the theorem",
}
BAD_INPUT, FAILED, INTERRUPTED = 2, 3, 130
OBJECTS_BETWEEN_COLLECTIONS = 50_000  # imports make many that stay, and Python looks at them after every 700


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that ``--help`` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"conjunct.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a mistyped one is refused with the nearest."""
        if args[0] not in COMMANDS:
            nearest = nearest_names(args[0], COMMANDS)[0]
            ctx.fail(f"no command is called {shortened(args[0])}, the nearest is '{nearest}'")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="conjunct")
def conjunct() -> None:
    """Learn Boolean concepts with linear thresholds over conjunctions, exactly.

    Example: conjunct demo
    """


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command; exits 0 done, 1 the answer is no, 2 bad input, 3 the run failed, 130 interrupted."""
    if arguments is None:
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    prepare_streams()
    try:
        code = run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0  # the reader of our output has left, and needs no word about it
        silence_stdout()
    except OSError as error:
        is_named = error.filename is not None and error.strerror is not None
        code = refuse(f"{error.filename}: {error.strerror}" if is_named else error, FAILED)
        silence_stdout()
    except KeyboardInterrupt:
        code = refuse("interrupted", INTERRUPTED)
    if arguments is None and not sys.flags.dev_mode:
        leave(code)
    sys.exit(code)


def leave(code: int) -> NoReturn:
    """End the process at once: taking down NumPy and every module is 15 of the 210 ms that a small prediction takes."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def run(arguments: list[str] | None) -> int:
    """Run a command and return its exit code."""
    try:
        given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
        # Not conjunct.main, which turns a reader that left into exit code 1.
        command = " ".join(["conjunct", *(name for name in given[:1] if name in COMMANDS)])
        with doing(f"running '{command}'"), conjunct.make_context("conjunct", list(given)) as context:
            answer: Any = conjunct.invoke(context)
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "conjunct"
        reason = re.sub(r"([0-9]{40})[0-9]+", r"\1...", error.format_message().rstrip("."))
        return refuse(f"{reason}; see '{where} --help'", BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        return refuse("interrupted", INTERRUPTED)
    except MemoryError as error:
        return refuse(error, FAILED)
    except (ConjunctError, ImportError) as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # while a compiled module was being loaded
            return refuse("interrupted", INTERRUPTED)
        return refuse(error, BAD_INPUT)
    except click.ClickException as error:
        return refuse(error.format_message(), FAILED)
    except OSError:
        raise
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        return refuse(f"a bug of conjunct, please report it: {type(error).__name__}: {error}", FAILED)
    return answer if isinstance(answer, int) else 0


def refuse(reason: object, code: int) -> int:
    """Print one line to standard error and return the exit code."""
    text = printable(" ".join(str(reason).split()))
    with suppress(OSError):
        click.echo(f"conjunct: {text}", err=True)
    return code
