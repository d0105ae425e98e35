#!/bin/sh
# Unpacks each archive into an empty folder and runs the main job with it: the one with a runtime
# without any Java on the path, the others through a link and with the Java of this build. Installs
# the wheel into a virtual environment, calls it from Python, and runs all tests of the package.
#   try.sh REPOSITORY VERSION JDK
set -eu
repository=$1
version=$2
jdk=$3
dist=$repository/target/dist
example=$repository/testdata/examples/mobile_block/program.textproto
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT

fail() {
  echo "try.sh: $1" >&2
  exit 1
}

# A path on which there is no Java.
mkdir "$try/tools"
for tool in sh dirname readlink; do
  ln -s "$(command -v "$tool")" "$try/tools/$tool"
done

# Arguments: the launcher, and JAVA_HOME or nothing.
main_job() {
  work=$(mktemp -d "$try/work.XXXXXX")
  said=$(cd "$work" && env -i PATH="$try/tools" ${2:+JAVA_HOME="$2"} "$1" --version)
  [ "$said" = "sublet $version" ] || fail "$1 says '$said'"
  (cd "$work" && env -i PATH="$try/tools" ${2:+JAVA_HOME="$2"} \
    "$1" optimize "$example" -o out --plan p.json >summary)
  grep -q '^validated  *yes$' "$work/summary" || fail "$1: the summary does not say validated"
  for file in out p.json; do
    [ -s "$work/$file" ] || fail "$1 has not written $file"
  done
  (cd "$work" && env -i PATH="$try/tools" ${2:+JAVA_HOME="$2"} \
    "$1" verify "$example" out --plan p.json >/dev/null) || fail "$1: the result is not valid"
}

complete() {
  for file in LICENSE NOTICE THIRD-PARTY bin/sublet share/man/man1/sublet.1 \
    share/bash-completion/completions/sublet share/fish/vendor_completions.d/sublet.fish \
    share/zsh/site-functions/_sublet; do
    [ -s "$1/$file" ] || fail "$1/$file is missing"
  done
  if command -v zsh >/dev/null; then
    # shellcheck disable=SC2016
    found=$(zsh -f -c 'fpath=($1/share/zsh/site-functions $fpath)
      autoload -U compinit; compinit -u -D; print -r -- $_comps[sublet]' try "$1")
    [ "$found" = _sublet ] || fail "zsh does not find the completions of $1"
  fi
}

for archive in "$dist/sublet-$version.tar.gz" "$dist/sublet-$version.zip"; do
  folder=$(mktemp -d "$try/a folder.XXXXXX")
  case $archive in
    *.zip) (cd "$folder" && "$jdk/bin/jar" --extract --file "$archive" && chmod +x ./*/bin/sublet) ;;
    *) tar -xzf "$archive" -C "$folder" ;;
  esac
  complete "$folder/sublet-$version"
  [ -s "$folder/sublet-$version/bin/sublet.cmd" ] || fail "$archive has no launcher for Windows"
  ln -s "sublet-$version/bin/sublet" "$folder/link"
  main_job "$folder/link" "$jdk"
done

# Every package in the jar has its licence named.
"$jdk/bin/jar" --list --file "$dist/stage/sublet-$version/lib/sublet.jar" | grep '\.class$' |
  grep -v '^dev/sublet/' | while read -r class; do
  covered=
  for prefix in $(sed -n '/^packages/,/^$/s/ .*//p' "$repository/src/dist/THIRD-PARTY"); do
    case $class in "$prefix"/*) covered=1 ;; esac
  done
  [ -n "$covered" ] || fail "src/dist/THIRD-PARTY does not cover $class"
done

linux=$dist/sublet-$version-linux-x64.tar.gz
if [ -f "$linux" ]; then
  [ "$(wc -c <"$linux")" -le 70000000 ] || fail "$linux is larger than 70 MB"
  folder=$(mktemp -d "$try/a folder.XXXXXX")
  tar -xzf "$linux" -C "$folder"
  complete "$folder/sublet-$version-linux-x64"
  main_job "$folder/sublet-$version-linux-x64/bin/sublet" ''
  # The archive of classes is used although the folder is another than where it was made.
  "$folder/sublet-$version-linux-x64/runtime/bin/java" -XX:+UseSerialGC -Xshare:on \
    -m dev.sublet/dev.sublet.cli.Main --version >/dev/null ||
    fail 'the runtime does not use its archive of classes'
fi
wheel=$dist/sublet-$version-py3-none-any.whl
if [ -f "$wheel" ]; then
  python3 -m venv "$try/venv" || fail 'python3 cannot make a virtual environment for the wheel'
  "$try/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
  bytes=$(cd "$try" && env -i PATH="$try/tools" JAVA_HOME="$jdk" "$try/venv/bin/python" -c \
    'import sublet, sys; print(sublet.optimize(sys.argv[1]).plan.arena_bytes)' "$example")
  [ "$bytes" = 638976 ] || fail "the wheel plans '$bytes' bytes for $example"
  (cd "$repository/src/test/python" && env JAVA_HOME="$jdk" SUBLET="$dist/stage/sublet-$version/bin/sublet" \
    SUBLET_TEST_JAR="$dist/stage/sublet-$version/lib/sublet.jar" PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH="$repository/src/main/python" python3 -W error -m unittest discover) ||
    fail 'the tests of the Python package fail'
fi
echo "try.sh: the archives of $version work"
