package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import java.util.Optional;

/**
 * A rewritten program with unrolled loops, and its original with the same loops unrolled, so that
 * both have the same blocks and operators. Immutable.
 */
public final class UnrolledPair {

  private final Program original;
  private final Program rewritten;
  private final ImmutableSet<String> observed;
  private final ImmutableMap<Position, UnrolledLoop> loops;

  UnrolledPair(
      Program original,
      Program rewritten,
      ImmutableSet<String> observed,
      ImmutableMap<Position, UnrolledLoop> loops) {
    this.original = original;
    this.rewritten = rewritten;
    this.observed = observed;
    this.loops = loops;
  }

  /**
   * Unrolls an original like a rewritten program. O(size of the result).
   *
   * @param original the original program
   * @param sizes the sizes of its variables
   * @param rewritten the program to check
   * @param options the observed variables and feeds
   * @param violations gets the reason if the programs do not correspond
   * @return both programs in the same form; empty, with a violation, if they do not correspond
   */
  public static Optional<UnrolledPair> unroll(
      Program original,
      Sizes sizes,
      Program rewritten,
      OperatorCatalog catalog,
      ProofOptions options,
      Violations violations) {
    return new OriginalUnroller(original, rewritten, catalog, sizes, options, violations).run();
  }

  /** The original program with its loops unrolled. */
  public Program original() {
    return original;
  }

  /** The rewritten program, without the lists of operators that no forward operator reads. */
  Program rewritten() {
    return rewritten;
  }

  /**
   * The observed variables of block 0, listed because an operator without its lists no longer names
   * the variables that it may have written.
   */
  ImmutableSet<String> observed() {
    return observed;
  }

  /** The unrolled loops, by the positions of their operators. */
  ImmutableMap<Position, UnrolledLoop> loops() {
    return loops;
  }
}
