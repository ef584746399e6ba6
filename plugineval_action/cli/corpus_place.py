"""A corpus on the disk: where its skills lie, and which of them a path names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from plugineval_action.cli.committed import Committed
from plugineval_action.cli.place import Place, locate
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.content.members import RESOURCE_FOLDERS
from plugineval_action.content.repository import repository_root
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.results import Failure
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.survey import Target, score_target

if TYPE_CHECKING:
    from plugineval_action.certify.corpus import Corpus
    from plugineval_action.certify.ground import Ground, Subject


def source_from(corpus_dir: Path, place: Place) -> str:
    """The folder of the skills as seen from that of the corpus, so that both can be moved."""
    target = place.tree.root / place.path
    return Path(os.path.relpath(target, corpus_dir.resolve())).as_posix()


def ground_of(corpus_dir: Path, corpus: Corpus, ruleset: Ruleset, opponents: int) -> Ground:
    """The skills of a corpus where they lie. Raises UsageError if they are not there any more."""
    from plugineval_action.certify.ground import Ground, by_path

    if corpus.ruleset != versioned(ruleset):
        raise UsageError(
            f"The corpus was made under the ruleset {corpus.ruleset}, not {versioned(ruleset)}.",
            "Make it again with plugin-eval init, or name its ruleset with --ruleset.",
        )
    place = locate(str(corpus_dir.resolve() / corpus.source))
    refuse_elsewhere(corpus_dir, place)
    found = discover(place.tree, place.path, ruleset=ruleset)
    return Ground(corpus, place.tree, place.path, by_path(found.skills, place.path), opponents)


def refuse_elsewhere(corpus_dir: Path, place: Place) -> None:
    """Raise UsageError if a corpus in a repository names skills outside of it.

    Whoever clones the repository would have skills of their own read and shown to a model.
    """
    around = repository_root(corpus_dir.resolve())
    skills = place.tree.root / place.path
    if around is not None and not skills.is_relative_to(around):
        raise UsageError(
            f"The corpus in {str(corpus_dir)!r} has its skills in {str(skills)!r}, which is not in"
            f" the repository around it, {str(around)!r}.",
            "Keep a corpus in the repository of its skills, or outside of any.",
        )


def refuse_inside(directory: Path, units: Iterable[tuple[Tree, Unit]]) -> None:
    """Raise UsageError if what is written to a folder would become part of a skill."""
    where = directory.resolve()
    for tree, unit in units:
        skill = Path(tree.identity) / unit.path
        inside = where.relative_to(skill).parts[:1] if where.is_relative_to(skill) else None
        if inside is not None and (unit.path or not RESOURCE_FOLDERS.isdisjoint(inside)):
            raise UsageError(
                f"{directory} lies in the skill {str(skill)!r}, whose bytes would change.",
                "Name a folder outside of it.",
            )


def subjects_of(arguments: list[str], ground: Ground, ruleset: Ruleset) -> list[Subject]:
    """The skills at paths, each once. Raises UsageError where there is none."""
    named = [one for argument in dict.fromkeys(arguments) for one in _at(argument, ground, ruleset)]
    return list({one.entry.path: one for one in named}.values())


def _at(argument: str, ground: Ground, ruleset: Ruleset) -> list[Subject]:
    from plugineval_action.certify.evals_kept import kept_evals
    from plugineval_action.certify.ground import Subject, entry_of

    place = locate(argument)
    found = discover(place.tree, place.path, ruleset=ruleset)
    if not found.skills:
        raise UsageError(f"{argument!r} holds no skills.", "Name a skill, or a folder with some.")
    base = _folder_of(ground)
    subjects = []
    committed = Committed(place.tree)
    for unit in found.skills:
        result = score_target(place.tree, Target(unit.path, unit.plugin), ruleset)
        if isinstance(result, Failure):
            raise ContentError(result.path, result.message, result.remedy)
        entry = entry_of(place.tree, unit, "", result)
        path = os.path.relpath(place.tree.root / unit.path, base)
        entry = entry._replace(path=Path(path).as_posix())
        evals = kept_evals(place.tree, unit.path, entry.name)
        subjects.append(Subject(place.tree, unit, entry, committed.revision(unit), evals))
    return subjects


def _folder_of(ground: Ground) -> Path:
    """The folder of the corpus' skills on the disk."""
    assert isinstance(ground.tree, DirectoryTree)
    return ground.tree.root / ground.base
