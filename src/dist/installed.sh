# An archive for one system contains Java itself, with Sublet as a module and with its own archive of
# classes.
archive=
if [ -x "$root/runtime/bin/java" ]; then
  java=$root/runtime/bin/java
  how=-m
  what=dev.sublet/dev.sublet.cli.Main
else
  java=
  how=-jar
  what=$root/lib/sublet.jar
fi
