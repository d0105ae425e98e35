package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.diag.ProgramException;

/**
 * The options of a compilation.
 *
 * @param name the name of the model: of its files, and the prefix of its identifiers
 * @param weights where the constants are
 * @param math how exactly the code computes
 * @param threads the most parts of an operator that may run at the same time
 * @param fetch more results, besides the variables that the program fetches
 * @param panels the bytes by which the arena may grow for panels of products; or {@link #BY_ARENA}
 * @param unrolled the operators up to which a loop whose condition is known becomes calls, one
 *     after the other; longer ones become loops
 * @param plan the shapes of feeds and how the arena is planned
 * @param source the name of the program's file, for comments
 * @param version the version of Sublet, for comments
 */
public record CompileOptions(
    String name,
    WeightsForm weights,
    MathMode math,
    int threads,
    ImmutableSet<String> fetch,
    long panels,
    long unrolled,
    TranspileOptions plan,
    String source,
    String version) {

  /** The function {@code main}, and the targets that CMake does not let a project define. */
  private static final ImmutableSet<String> RESERVED =
      ImmutableSet.of(
          "main", "all", "clean", "help", "install", "preinstall", "edit_cache", "rebuild_cache");

  /** Panels that depend on the arena: a sixteenth of it, at most 64 KiB. */
  public static final long BY_ARENA = -1;

  /** The default of {@link #unrolled}. */
  public static final long FEW_OPERATORS = 500;

  private static final int MOST_THREADS = 1024;

  private static final long MOST_BYTES = 64 << 10;

  private static final long PART = 16;

  /** The least alignment: that of every element type. */
  private static final long LEAST_ALIGNMENT = 16;

  /**
   * Throws a {@link ProgramException} (exit code 2) if the name is no identifier, the plan would
   * have several arenas or an alignment that is no multiple of 16, {@code unrolled} is negative, or
   * {@code threads} is not between 1 and {@value #MOST_THREADS}.
   */
  public CompileOptions {
    requireNonNull(weights, "weights");
    requireNonNull(math, "math");
    requireNonNull(fetch, "fetch");
    requireNonNull(source, "source");
    requireNonNull(version, "version");
    if (RESERVED.contains(name)) {
      throw ProgramException.usage(
          "'" + name + "' cannot be the name of a model: build files and C use it themselves");
    }
    if (!isName(name)) {
      throw ProgramException.usage(
          "'"
              + name
              + "' cannot be the name of a model: a name is a lower-case letter, then letters,"
              + " digits and single underscores");
    }
    if (plan.offsets().alignment() % LEAST_ALIGNMENT != 0) {
      throw ProgramException.usage(
          "C code needs an alignment that is a multiple of 16, not " + plan.offsets().alignment());
    }
    if (unrolled < 0) {
      throw ProgramException.usage("a loop cannot be unrolled to " + unrolled + " operators");
    }
    if (threads < 1 || threads > MOST_THREADS) {
      throw ProgramException.usage(
          "--threads must be from 1 to " + MOST_THREADS + ", not " + threads);
    }
    if (!plan.offsets().pools().isEmpty()) {
      throw ProgramException.usage("--pool divides the arena; a compiled model has one arena");
    }
  }

  /** Returns the bytes by which an arena may grow for panels. */
  long growth(long arenaBytes) {
    return panels == BY_ARENA ? Math.min(MOST_BYTES, arenaBytes / PART) : panels;
  }

  private static boolean isName(String name) {
    CharMatcher letters = CharMatcher.inRange('a', 'z');
    CharMatcher others = letters.or(CharMatcher.inRange('0', '9')).or(CharMatcher.is('_'));
    return !name.isEmpty()
        && name.length() <= 60
        && letters.matches(name.charAt(0))
        && others.matchesAllOf(name)
        && !name.contains("__");
  }
}
