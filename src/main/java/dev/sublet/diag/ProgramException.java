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
  private final transient ImmutableList<String> details;

  private ProgramException(ImmutableList<Diagnostic> diagnostics, ImmutableList<String> details) {
    super(diagnostics.get(0).toString());
    this.diagnostics = diagnostics;
    this.details = details;
  }

  /** Returns an exception with one diagnostic. */
  public static ProgramException of(Diagnostic.Kind kind, Location place, String message) {
    Diagnostic diagnostic = new Diagnostic(kind, place, message);
    return new ProgramException(ImmutableList.of(diagnostic), /* details= */ ImmutableList.of());
  }

  /**
   * Returns an exception for a request that cannot be fulfilled: exit code 5.
   *
   * @param message the headline
   * @param details lines that explain the headline
   */
  public static ProgramException infeasible(String message, ImmutableList<String> details) {
    Diagnostic diagnostic = new Diagnostic(Diagnostic.Kind.INFEASIBLE, Location.nowhere(), message);
    return new ProgramException(ImmutableList.of(diagnostic), details);
  }

  /**
   * Returns an exception for input that Sublet does not support: exit code 4.
   *
   * @param message the headline
   * @param details lines that explain the headline
   */
  public static ProgramException unsupported(String message, ImmutableList<String> details) {
    Diagnostic diagnostic =
        new Diagnostic(Diagnostic.Kind.UNSUPPORTED, Location.nowhere(), message);
    return new ProgramException(ImmutableList.of(diagnostic), details);
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
          new Diagnostic(diagnostic.kind(), diagnostic.location().in(file), diagnostic.message()));
    }
    return new ProgramException(placed.build(), details);
  }

  /** Returns an exception with the same diagnostics and no details. */
  public ProgramException withoutDetails() {
    return new ProgramException(diagnostics, /* details= */ ImmutableList.of());
  }

  /** The diagnostics of the problem; never empty. */
  public ImmutableList<Diagnostic> diagnostics() {
    return diagnostics;
  }

  /** Lines that explain the diagnostics, such as a table; usually empty. */
  public ImmutableList<String> details() {
    return details;
  }

  /** The exit code of the command line. */
  public int exitCode() {
    return diagnostics.get(0).kind().exitCode();
  }
}
