"""Every file of a report by its path: pages, report.json, pictures, and the history so far."""

from __future__ import annotations

from plugineval_action.render.report.model import NO_SITE, Model, Site, model
from plugineval_action.render.report.pages import pages
from plugineval_action.render.report.pictures import picture_files
from plugineval_action.render.report.to_json import render
from plugineval_action.report.history import HISTORY_FILE, History, write_history
from plugineval_action.report_values import MarketplaceReport


def report_files(
    report: MarketplaceReport, history: History, site: Site = NO_SITE
) -> dict[str, str]:
    """The files of a report, given what earlier runs found; the same input gives the same bytes.

    The history in it has this run.
    """
    return files_of(model(report, history, site))


def files_of(found: Model) -> dict[str, str]:
    """The same for those who need the model themselves."""
    files = dict(pages(found))
    files["report.json"] = render(found)
    files[HISTORY_FILE] = write_history(found.history)
    return files | dict(picture_files(found))
