# The image of the action. `ARG BASE` is the official image; a release names it by digest.
ARG BASE=python:3.13-slim
FROM ${BASE}

LABEL org.opencontainers.image.title="PluginEval Action" \
      org.opencontainers.image.description="Scores agent skills and plugins, and reviews what a change did to them." \
      org.opencontainers.image.source="https://github.com/plugineval/plugineval-action" \
      org.opencontainers.image.licenses="Apache-2.0"

# Wheels only, so that no foreign code runs at build time, and beside whatever the base has installed.
# pip leaves byte code behind, without which each run would compile everything anew.
COPY requirements.lock /opt/plugineval/
RUN ["python", "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check", "--root-user-action=ignore", "--ignore-installed", "--only-binary=:all:", "--require-hashes", "--requirement=/opt/plugineval/requirements.lock"]

COPY LICENSE /opt/plugineval/
COPY plugineval_action /opt/plugineval/plugineval_action
COPY report_templates /opt/plugineval/plugineval_action/report_templates
COPY docs/rules /opt/plugineval/plugineval_action/rule_pages
COPY docs/rubrics.md /opt/plugineval/plugineval_action/rubrics.md
COPY docs/schema/certificate.schema.json /opt/plugineval/plugineval_action/certificate.schema.json

# A .pth file puts the package on the path of an isolated interpreter (-I), which heeds neither
# PYTHONPATH nor the working directory: that is the checkout, and anyone may plant modules in it.
RUN ["python", "-c", "import compileall, pathlib, site; compileall.compile_dir('/opt/plugineval', quiet=1); pathlib.Path(site.getsitepackages()[0], 'plugineval.pth').write_text('/opt/plugineval\\n')"]

# HOME is a mount of GitHub's, new in every run: the list of fonts is made here, once.
ENV MPLCONFIGDIR=/opt/plugineval/matplotlib
RUN ["python", "-c", "import matplotlib.font_manager"]

# No USER and no WORKDIR: GitHub mounts its files for root, and sets the working directory itself.
ENTRYPOINT ["python", "-I", "-m", "plugineval_action", "action"]
