package dev.sublet.runtime.micro.run.bind;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proves that parts of the nests of a function may run at the same time. A part has a share of the
 * iterations of one loop of each nest, and executes nest after nest without waiting for the others.
 *
 * <pre>
 * for i0 &lt; 8: for i1 &lt; 4: m[i0] max= x[i0, i1]          part 0 has i0 = 0 to 3, part 1 has 4 to 7
 * for i0 &lt; 8: for i1 &lt; 4: y[i0, i1] = x[i0, i1] - m[i0]  each part reads its own rows of m
 * </pre>
 *
 * <p>Sufficient condition: for each tensor that the function writes, the position of an element
 * tells which iteration of the split loop uses it, and all accesses agree on it ({@link Owner}); or
 * the accesses use separate ranges of positions.
 */
public final class SplitProof {

  /**
   * A nest of a function.
   *
   * @param nest the nest
   * @param loop the depth of the loop that is split; -1 if the iterations of the outer loops are
   *     known to be independent of each other ({@link ProductForm}), and split in any way
   */
  public record Split(BoundNest nest, int loop) {}

  /**
   * The iteration of the split loop that uses an element: {@code (position / stride - first) mod
   * iterations}.
   *
   * @param stride the distance between the positions of one iteration and the next
   * @param iterations the iterations of the loop
   * @param first the multiple of the stride at which iteration 0 begins, modulo the iterations
   */
  private record Owner(long stride, long iterations, long first) {}

  /** An access to a tensor that the function writes. */
  private record SharedAccess(
      int nest, boolean isWrite, String tensor, @Nullable Owner owner, @Nullable IndexRange range) {

    private boolean isApart(SharedAccess that) {
      return range != null
          && that.range != null
          && (range.high() < that.range.low() || that.range.high() < range.low());
    }
  }

  private SplitProof() {}

  /**
   * Returns the loops of a nest that may be split, if the accesses permit it: all loops around them
   * have no statements, and they begin at 0.
   */
  public static ImmutableList<Integer> candidates(BoundNest nest) {
    ImmutableList.Builder<Integer> loops = ImmutableList.builder();
    for (int depth = 0; depth < nest.loops(); depth++) {
      Long iterations = nest.iterations(depth);
      boolean beginsAtZero = Affine.constant(0, nest.loops()).equals(nest.start(depth));
      if (iterations != null && iterations > 1 && beginsAtZero) {
        loops.add(depth);
      }
      if (!nest.isBare(depth)) {
        break;
      }
    }
    return loops.build();
  }

  /** Whether parts of the nests may run at the same time. O(accesses² + accesses · loops). */
  public static boolean holds(ImmutableList<Split> nests) {
    List<NestSurvey> surveys = new ArrayList<>();
    Set<String> written = new LinkedHashSet<>();
    for (Split split : nests) {
      NestSurvey survey = NestSurvey.of(split.nest());
      surveys.add(survey);
      written.addAll(survey.written());
    }
    List<SharedAccess> sites = new ArrayList<>();
    for (int i = 0; i < nests.size(); i++) {
      for (AccessSite access : surveys.get(i).accesses()) {
        if (written.contains(access.access().tensor())) {
          sites.add(site(i, nests.get(i), access));
        }
      }
    }
    for (int i = 0; i < sites.size(); i++) {
      for (int j = i; j < sites.size(); j++) {
        if (mayMeet(sites.get(i), sites.get(j), nests)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether two parts may use one element by these accesses, and one of them writes it. */
  private static boolean mayMeet(SharedAccess one, SharedAccess other, ImmutableList<Split> nests) {
    if (!one.tensor().equals(other.tensor()) || !(one.isWrite() || other.isWrite())) {
      return false;
    }
    if (one.nest() == other.nest() && nests.get(one.nest()).loop() < 0) {
      return false;
    }
    boolean agree = one.owner() != null && one.owner().equals(other.owner());
    return !agree && !one.isApart(other);
  }

  private static SharedAccess site(int number, Split split, AccessSite access) {
    BoundNest nest = split.nest();
    Affine place = access.access().flat(nest.loops());
    return new SharedAccess(
        number,
        access.target(),
        access.access().tensor(),
        place == null || split.loop() < 0 ? null : owner(nest, split.loop(), place),
        place == null ? null : nest.range(place));
  }

  /**
   * Returns the owner of the elements at a place; null if several iterations of the loop may use
   * one element, or it is not known.
   */
  private static @Nullable Owner owner(BoundNest nest, int loop, Affine place) {
    long stride = place.coefficient(loop);
    long iterations = requireNonNull(nest.iterations(loop));
    if (stride <= 0 || stride > Long.MAX_VALUE / iterations) {
      return null;
    }
    Affine inner = place.without(loop);
    for (int depth = 0; depth < nest.loops(); depth++) {
      if (inner.coefficient(depth) % (stride * iterations) == 0) {
        inner = inner.without(depth); // it moves by whole rounds of the loop
      }
    }
    IndexRange range = nest.range(inner);
    if (range == null) {
      return null;
    }
    long first = Math.floorDiv(range.low(), stride);
    return first == Math.floorDiv(range.high(), stride)
        ? new Owner(stride, iterations, Math.floorMod(first, iterations))
        : null;
  }
}
