/**
 * Sublet and its dependencies as one module, which only the archive with a Java runtime contains.
 * Java 17 uses an archive of classes only if the jar has not moved; a module that is linked into a
 * runtime can move with it. stage.sh compares the required modules with the output of jdeps.
 * java.compiler and java.sql are for parts of dependencies that Sublet does not use.
 */
module dev.sublet {
  requires java.logging;
  requires jdk.unsupported;
  requires static java.compiler;
  requires static java.sql;
}
