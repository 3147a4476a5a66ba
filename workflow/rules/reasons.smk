"""Why a job of a dry run runs, in a few words: the settings, modules, files and jobs. Contains no rules."""

import ast
from itertools import pairwise

from snakemake_interface_logger_plugins.common import LogEvent
from vorlage.workflow.settings import Config

NAMED = 3  # names of a kind, at most
NONE = "–"  # in place of a value that was not or is not given


def some(names):
    """Return the first of some names, and how many others there are."""
    names = sorted(set(names))
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if names[NAMED:] else "")


def values_of(params):
    """Return the values of options, such as `--sentences 3`, and the digests of `code` and `watched`, by name."""
    values, params = {}, [ast.literal_eval(param) for param in params]
    for text in [text for param in params for text in (param if isinstance(param, list) else [param])]:
        words = shlex.split(text) if isinstance(text, str) and not text.startswith("{") else []  # no JSON
        options = {name: value for name, value in pairwise(words) if name.startswith("--")}
        values |= options or dict([words] if len(words) == 2 else [])
    return values


def change_of(rule, name, old, new):
    """Return the change of a value; an option has the name of its setting, `semihmm.iterations`."""
    if any(re.fullmatch("[0-9a-f]{12}", value) for value in (old, new)):
        return f"{name} {'is new' if old == NONE else 'is gone' if new == NONE else 'has changed'}"
    key = name.removeprefix("--").replace("-", "_")
    settings = [setting for setting, _ in Config.settings() if key in (setting, setting.partition(".")[2])]
    named = max(settings, key=lambda setting: setting.partition(".")[0] in rule, default=name)
    return f"{named}: {old} → {new}"


def reasons_of(job):
    """Yield the reasons of a job."""
    reason = workflow.dag.reason(job)
    if reason.missing_output:
        yield f"missing: {some(reason.missing_output)}"
    if reason.updated_input - reason.updated_input_run:
        yield f"changed: {some(reason.updated_input - reason.updated_input_run)}"
    if reason.updated_input_run:
        made = workflow.dag.dependencies[job].items()
        yield f"after {some(other.rule.name.replace('_', ' ') for other, files in made if files & reason.updated_input_run)}"
    if reason.params_changed:
        old, new = map(values_of, (reason.params_changed.only_old, reason.params_changed.only_new))
        names = [name for name in old | new if old.get(name) != new.get(name)]
        changes = [change_of(job.rule.name, name, old.get(name, NONE), new.get(name, NONE)) for name in names]
        yield some(changes) or "other parameters"
    rest = {"another set of input files": reason.input_changed, "another command": reason.code_changed}
    yield from (text for text, holds in rest.items() if holds)


def explain(record):
    """Give the record of a job of a dry run these reasons in place of Snakemake's."""
    if workflow.dryrun and getattr(record, "event", None) == LogEvent.JOB_INFO:
        [job] = [job for job in workflow.dag.jobs if workflow.dag.jobid(job) == record.jobid]
        record.reason = "; ".join(reasons_of(job)) or record.reason
    return True


logger.addFilter(explain)
