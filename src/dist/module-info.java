/**
 * Sublet and its dependencies as one module, for the Java runtime of the archives alone: what is
 * linked into a runtime can be moved with its archive of classes. The names are those that jdeps
 * finds in the jar, which stage.sh checks; java.compiler and java.sql are for parts of dependencies
 * that Sublet does not use.
 */
module dev.sublet {
  requires java.logging;
  requires jdk.unsupported;
  requires static java.compiler;
  requires static java.sql;
}
