package dev.sublet.diag;

import com.google.common.collect.ImmutableList;

/**
 * The user's input is wrong, and the run cannot go on. Never thrown for a bug of Sublet's own.
 *
 * <p>Unchecked, so that the stages can be used from lambdas; every public entry point that throws
 * it says so.
 */
public final class ProgramException extends RuntimeException {

  private final transient ImmutableList<Diagnostic> diagnostics;

  private ProgramException(ImmutableList<Diagnostic> diagnostics) {
    super(diagnostics.get(0).toString());
    this.diagnostics = diagnostics;
  }

  /** An exception with one diagnostic. */
  public static ProgramException of(Diagnostic.Kind kind, Location place, String message) {
    return new ProgramException(ImmutableList.of(new Diagnostic(kind, place, message)));
  }

  /** The input cannot be read or is malformed: exit code 3. */
  public static ProgramException unreadable(Location place, String message) {
    return of(Diagnostic.Kind.UNREADABLE, place, message);
  }

  /** The options do not fit the input or each other: exit code 2. */
  public static ProgramException usage(String message) {
    return of(Diagnostic.Kind.USAGE, Location.nowhere(), message);
  }

  /** The options do not fit the input at a place: exit code 2. */
  public static ProgramException usage(Location place, String message) {
    return of(Diagnostic.Kind.USAGE, place, message);
  }

  /** The same diagnostics, each placed in the given file. */
  public ProgramException in(String file) {
    ImmutableList.Builder<Diagnostic> placed = ImmutableList.builder();
    for (Diagnostic diagnostic : diagnostics) {
      placed.add(
          new Diagnostic(diagnostic.kind(), diagnostic.place().in(file), diagnostic.message()));
    }
    return new ProgramException(placed.build());
  }

  /** What is wrong; never empty. */
  public ImmutableList<Diagnostic> diagnostics() {
    return diagnostics;
  }

  /** The exit code that the command line ends with. */
  public int exitCode() {
    return diagnostics.get(0).kind().exitCode();
  }
}
