package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.Loop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Proves that indices stay inside their tensors in every iteration of some loops.
 *
 * <p>To prove {@code p >= 0}, the prover replaces p by lower bounds until only extents are left. It
 * eliminates a quotient {@code q = a / s} with {@code s > 0} by {@code a - s + 1 <= s q <= a}. It
 * eliminates a loop index, innermost loop first, by the index's first or last value, depending on
 * the sign of its factor. An extent is at least 0, and at least 1 if an enclosing loop iterates
 * over it. After substituting {@code extent = bound + rest}, a polynomial without negative
 * coefficients is not negative. For example, {@code d(x, 0) - 1 - i0 >= 0} inside {@code for i0 in
 * 0..d(x, 0)}: the last value of i0 gives 0.
 *
 * <p>The proof is incomplete: a failed proof means that the answer is unknown. The prover assumes
 * that products of extents and indices fit in 64 bits. The number of steps per proof is bounded.
 */
public final class BoundsProver {

  /** The most steps per proof; proofs for real indices take fewer than thirty. */
  private static final int MAX_STEPS = 400;

  /** The largest coefficient; with larger ones the arithmetic might not fit in 64 bits. */
  private static final long MAX_COEFFICIENT = 1L << 31;

  private final Extents extents;
  private final ImmutableList<Loop> loops;

  /** The lower bounds of extents that are known to be positive. */
  private final Map<IndexExpression, Long> least = new LinkedHashMap<>();

  private int steps;

  /** Creates a prover for code inside some loops, outermost first. */
  public BoundsProver(Extents extents, List<Loop> loops) {
    this.extents = extents;
    this.loops = ImmutableList.copyOf(loops);
    for (Loop loop : loops) {
      Polynomial count = extents.canonical(loop.end()).minus(extents.canonical(loop.start()));
      long added = count.constantTerm();
      count
          .minus(Polynomial.constant(added))
          .asAtom()
          .filter(extents::isExtent)
          .ifPresent(extent -> least.merge(extent, 1 - added, Math::max));
    }
  }

  /** Whether each index is proved to be inside the tensor. */
  public boolean isInside(String tensor, ImmutableList<IndexExpression> at) {
    for (int axis = 0; axis < at.size(); axis++) {
      if (!isInside(tensor, axis, at.get(axis))) {
        return false;
      }
    }
    return true;
  }

  /** Whether an index is proved to be inside the tensor along an axis. */
  public boolean isInside(String tensor, int axis, IndexExpression index) {
    Polynomial at = extents.canonical(index);
    Polynomial extent = extents.canonical(extents.tensor(tensor).shape().get(axis));
    return isNotNegative(at) && isNotNegative(extent.minus(at).minus(Polynomial.ONE));
  }

  /** Whether a polynomial over loop indices and extents is proved not to be negative. */
  public boolean isNotNegative(Polynomial polynomial) {
    steps = MAX_STEPS;
    return prove(polynomial);
  }

  private boolean prove(Polynomial polynomial) {
    if (--steps < 0 || !isModest(polynomial)) {
      return false;
    }
    for (Loop loop : loops.reverse()) {
      LoopIndex index = new LoopIndex(loop.id());
      Optional<Polynomial> factor = polynomial.coefficient(index);
      if (factor.isPresent() && !factor.get().isZero()) {
        return proveWithoutLoop(polynomial, loop, index, factor.get());
      }
    }
    for (IndexExpression atom : polynomial.atoms()) {
      if (atom instanceof Arithmetic quotient && quotient.operator() == Operator.DIVIDE) {
        return proveWithoutQuotient(polynomial, quotient);
      }
    }
    return hasNoNegativeTerm(polynomial);
  }

  private static boolean isModest(Polynomial polynomial) {
    for (long coefficient : polynomial.coefficients()) {
      if (Math.abs(coefficient) > MAX_COEFFICIENT || coefficient == Long.MIN_VALUE) {
        return false;
      }
    }
    return true;
  }

  private boolean proveWithoutLoop(
      Polynomial polynomial, Loop loop, LoopIndex index, Polynomial factor) {
    if (prove(factor)) {
      return prove(polynomial.with(index, extents.canonical(loop.start())));
    }
    if (prove(factor.times(-1))) {
      Polynomial last = extents.canonical(loop.end()).minus(Polynomial.ONE);
      return prove(polynomial.with(index, last));
    }
    return false;
  }

  /** Proves {@code rest + factor * (dividend / divisor) >= 0}. */
  private boolean proveWithoutQuotient(Polynomial polynomial, Arithmetic quotient) {
    Polynomial dividend = extents.canonical(quotient.left());
    Polynomial divisor = extents.canonical(quotient.right());
    Optional<Polynomial> factor = polynomial.coefficient(quotient);
    if (factor.isEmpty() || !isDivisor(divisor)) {
      return false;
    }
    Polynomial rest = polynomial.without(quotient);
    // The division was executed, so the divisor is not 0; as an extent it is at least 1.
    Polynomial slack = divisor.minus(Polynomial.ONE);
    Optional<Polynomial> whole = factor.get().exactQuotient(divisor);
    if (whole.isPresent()) {
      return proveScaled(rest, whole.get(), dividend, slack);
    }
    Polynomial scaled = rest.times(divisor);
    if (factor.get().equals(Polynomial.ONE)) {
      return prove(scaled.plus(dividend));
    }
    if (factor.get().equals(Polynomial.constant(-1))) {
      return prove(scaled.plus(slack).minus(dividend));
    }
    return proveScaled(scaled, factor.get(), dividend, slack);
  }

  /** Proves {@code rest + factor * divisor * (dividend / divisor) >= 0}. */
  private boolean proveScaled(
      Polynomial rest, Polynomial factor, Polynomial dividend, Polynomial slack) {
    if (prove(factor)) {
      return prove(rest.plus(factor.times(dividend.minus(slack))));
    }
    return prove(factor.times(-1)) && prove(rest.plus(factor.times(dividend)));
  }

  private boolean isDivisor(Polynomial divisor) {
    return divisor.asConstant().map(value -> value > 0).orElse(false)
        || divisor.asAtom().map(extents::isExtent).orElse(false);
  }

  private boolean hasNoNegativeTerm(Polynomial polynomial) {
    Polynomial shifted = polynomial;
    for (IndexExpression atom : new ArrayList<>(polynomial.atoms())) {
      if (!extents.isExtent(atom)) {
        return false;
      }
      long bound = least.getOrDefault(atom, 0L);
      if (bound > 0) {
        shifted = shifted.with(atom, Polynomial.atom(atom).plus(Polynomial.constant(bound)));
      }
    }
    for (long coefficient : shifted.coefficients()) {
      if (coefficient < 0) {
        return false;
      }
    }
    return true;
  }
}
