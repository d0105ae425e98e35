#!/bin/sh
# Prints the launcher of the archives: the repository's without the build. Takes the repository.
set -eu
sed -e "/^#--- Only in the repository/r $1/src/dist/installed.sh" \
  -e '/^#--- Only in the repository/,/^#--- Everywhere/d' \
  -e 's|^# Runs Sublet\. Builds .*|# Runs Sublet, with any Java from 17 on.|' -e '/^# Maven and any JDK from 17 on/d' \
  -e '/^# The build also leaves an archive/d' \
  -e 's|^# The project.s folder|# The folder of the installation|' \
  -e 's|^root=.*|root=$(CDPATH='"''"' cd -- "$(dirname -- "$self")/.." \&\& pwd -P)|' "$1/sublet"
