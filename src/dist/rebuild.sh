#!/bin/sh
# Builds the jar again, as the launcher does, from a copy of the sources in another folder, and compares
# the bytes. They differ if an anonymous class passes arguments to the constructor of a class of the
# JDK: javac knows the names of these parameters only where annotation processors run.
#   rebuild.sh REPOSITORY
set -eu
repository=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/src" "$copy/testdata/examples"
cp -R "$repository/pom.xml" "$repository/LICENSE" "$repository/NOTICE" "$repository/.mvn" \
  "$repository/proto" "$copy"
cp -R "$repository/src/main" "$repository/src/dist" "$copy/src"
cp -R "$repository/testdata/examples/mobile_block" "$copy/testdata/examples"
(cd "$copy" && MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC} mvn -o -q -B -Dapp package)
if ! cmp "$repository/target/sublet-all.jar" "$copy/target/sublet-all.jar"; then
  echo 'rebuild.sh: the same sources have given another jar' >&2
  exit 1
fi
echo 'rebuild.sh: a second build has given the same jar'
