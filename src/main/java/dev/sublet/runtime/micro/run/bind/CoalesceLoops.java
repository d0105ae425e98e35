package dev.sublet.runtime.micro.run.bind;

import org.jspecify.annotations.Nullable;

/**
 * Combines two nested loops into one if every access can treat the two loops' axes as one axis:
 * {@code for i0, i1: y[i0, i1] = x[i0, i1]} becomes one long loop. Long loops give long strips.
 *
 * <p>The order of iterations is unchanged. A loop with statements or carried variables is never the
 * outer loop of a pair. O(loops² × accesses).
 */
public final class CoalesceLoops {

  private CoalesceLoops() {}

  /** Combines all loops of a nest that can be combined, inner loops first. */
  public static void in(BoundNest nest) {
    int inner = nest.loops() - 1;
    for (int outer = inner - 1; outer >= 0; outer--) {
      if (nest.runsOnce(outer) && nest.isBare(outer)) {
        continue;
      }
      if (canUnite(nest, outer, inner)) {
        nest.unite(outer, inner);
      } else {
        inner = outer;
      }
    }
  }

  private static boolean canUnite(BoundNest nest, int outer, int inner) {
    Affine outerStart = nest.start(outer);
    Affine innerStart = nest.start(inner);
    Long outerExtent = nest.iterations(outer);
    Long innerExtent = nest.iterations(inner);
    if (!nest.isBare(outer)
        || outerExtent == null
        || innerExtent == null
        || !isZero(outerStart)
        || !isZero(innerStart)
        || outerExtent == 0
        || innerExtent == 0
        || outerExtent > Integer.MAX_VALUE / innerExtent) {
      return false;
    }
    NestSurvey survey = NestSurvey.of(nest);
    if (survey.isPinned(outer) || survey.isPinned(inner)) {
      return false;
    }
    for (AccessSite site : survey.accesses()) {
      if (site.access().unite(outer, inner, innerExtent, nest.loops()) == null) {
        return false;
      }
    }
    return true;
  }

  private static boolean isZero(@Nullable Affine affine) {
    return affine != null && affine.isConstant() && affine.constant() == 0;
  }
}
