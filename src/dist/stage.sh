#!/bin/sh
# Makes the folders that the archives are made of, in target/dist/stage, and the Python wheel.
#   stage.sh REPOSITORY VERSION JDK
# On Linux x86-64 that includes a folder with a runtime of that JDK.
set -eu
repository=$1
version=$2
jdk=$3
jar=$repository/target/sublet-all.jar
stage=$repository/target/dist/stage
example=$repository/testdata/examples/mobile_block/program.textproto
rm -rf "$stage"

common() {
  mkdir -p "$1/bin" "$1/share/bash-completion/completions" "$1/share/fish/vendor_completions.d" \
    "$1/share/zsh/site-functions" "$1/share/man/man1"
  cp "$repository/LICENSE" "$repository/NOTICE" "$repository/CHANGELOG.md" \
    "$repository/src/dist/THIRD-PARTY" "$1"
  sh "$repository/src/dist/launcher.sh" "$repository" >"$1/bin/sublet"
  chmod 755 "$1/bin/sublet"
  "$jdk/bin/java" -cp "$jar" dev.sublet.cli.Main completion bash \
    >"$1/share/bash-completion/completions/sublet"
  "$jdk/bin/java" -cp "$jar" dev.sublet.cli.Main completion zsh \
    >"$1/share/zsh/site-functions/_sublet"
  "$jdk/bin/java" -cp "$jar" dev.sublet.cli.Main completion fish \
    >"$1/share/fish/vendor_completions.d/sublet.fish"
  "$jdk/bin/java" -cp "$jar" dev.sublet.cli.ManPage "$version" >"$1/share/man/man1/sublet.1"
}

portable=$stage/sublet-$version
common "$portable"
mkdir "$portable/lib"
cp "$jar" "$portable/lib/sublet.jar"
cp "$repository/src/dist/sublet.cmd" "$portable/bin"

if command -v python3 >/dev/null; then
  python3 "$repository/src/main/python/build_wheel.py" --jar "$jar" --version "$version" \
    --out "$repository/target/dist"
else
  echo 'stage.sh: no wheel is made, for there is no python3' >&2
fi

if [ "$(uname -sm)" != 'Linux x86_64' ]; then
  echo "stage.sh: no archive with a runtime is made on $(uname -sm)" >&2
  exit
fi

needed=$("$jdk/bin/jdeps" --print-module-deps --ignore-missing-deps --multi-release 17 "$jar")
if [ "$needed" != java.base,java.compiler,java.sql,jdk.unsupported ]; then
  echo "stage.sh: the jar needs other modules now: $needed; see src/dist/module-info.java" >&2
  exit 1
fi

module=$stage/module
mkdir -p "$module"
cp "$jar" "$module/dev.sublet.jar"
"$jdk/bin/javac" --release 17 --module-version "$version" --add-modules java.sql,java.compiler \
  --patch-module "dev.sublet=$jar" -d "$module" "$repository/src/dist/module-info.java"
"$jdk/bin/jar" --update --file "$module/dev.sublet.jar" -C "$module" module-info.class

linux=$stage/sublet-$version-linux-x64
common "$linux"
runtime=$linux/runtime
# Each JDK calls the strongest compression by another name.
"$jdk/bin/jlink" --module-path "$module/dev.sublet.jar" --add-modules dev.sublet --strip-debug \
  --no-man-pages --no-header-files --compress "$("$jdk/bin/jlink" --help | grep -q 'zip-\[' && echo zip-6 || echo 2)" \
  --vm server --output "$runtime"
rm -rf "$module"

# The archive of classes, at the place where this runtime looks for it.
rm -f "$runtime"/lib/server/*.jsa
options='-XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow -XX:+UseSerialGC'
# shellcheck disable=SC2086
"$runtime/bin/java" $options -XX:TieredStopAtLevel=1 -XX:DumpLoadedClassList="$stage/classes" \
  -m dev.sublet/dev.sublet.cli.Rehearsal "$example" "$stage/rehearsal"
# shellcheck disable=SC2086
"$runtime/bin/java" $options -Xlog:disable -XX:SharedClassListFile="$stage/classes" \
  -XX:SharedArchiveFile="$runtime/lib/server/classes.jsa" -Xshare:dump \
  -m dev.sublet/dev.sublet.cli.Main
rm -rf "$stage/classes" "$stage/rehearsal"
chmod 644 "$runtime/lib/server/classes.jsa"
