package dev.sublet.diag;

import com.google.common.collect.ImmutableList;

/**
 * Thrown if the user's input is wrong and the run cannot continue. Never thrown for a bug in
 * Sublet.
 *
 * <p>Unchecked, so that lambdas can call the stages. Every public entry point that throws it
 * documents this.
 */
public final class ProgramException extends RuntimeException {

  private final transient ImmutableList<Diagnostic> diagnostics;

  private ProgramException(ImmutableList<Diagnostic> diagnostics) {
    super(diagnostics.get(0).toString());
    this.diagnostics = diagnostics;
  }

  /** Returns an exception with one diagnostic. */
  public static ProgramException of(Diagnostic.Kind kind, Location place, String message) {
    return new ProgramException(ImmutableList.of(new Diagnostic(kind, place, message)));
  }

  /** Returns an exception for input that cannot be read or is malformed: exit code 3. */
  public static ProgramException unreadable(Location place, String message) {
    return of(Diagnostic.Kind.UNREADABLE, place, message);
  }

  /** Returns an exception for options that do not fit the input or each other: exit code 2. */
  public static ProgramException usage(String message) {
    return of(Diagnostic.Kind.USAGE, Location.nowhere(), message);
  }

  /** Returns an exception for options that do not fit the input at a location: exit code 2. */
  public static ProgramException usage(Location place, String message) {
    return of(Diagnostic.Kind.USAGE, place, message);
  }

  /** Returns an exception with the same diagnostics, each located in the given file. */
  public ProgramException in(String file) {
    ImmutableList.Builder<Diagnostic> placed = ImmutableList.builder();
    for (Diagnostic diagnostic : diagnostics) {
      placed.add(
          new Diagnostic(diagnostic.kind(), diagnostic.place().in(file), diagnostic.message()));
    }
    return new ProgramException(placed.build());
  }

  /** The diagnostics of the problem; never empty. */
  public ImmutableList<Diagnostic> diagnostics() {
    return diagnostics;
  }

  /** The exit code of the command line. */
  public int exitCode() {
    return diagnostics.get(0).kind().exitCode();
  }
}
