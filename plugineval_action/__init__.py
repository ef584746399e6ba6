"""Score agent skills, plugins and whole marketplaces."""

__version__ = "0.1.0"
PROJECT_URL = "https://github.com/plugineval/plugineval-action"
