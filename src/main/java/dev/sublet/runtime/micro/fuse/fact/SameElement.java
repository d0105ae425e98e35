package dev.sublet.runtime.micro.fuse.fact;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the loops in which two iterations must agree if they touch the same element.
 *
 * <p>An axis determines a loop under three conditions. Both indices have the same canonical form;
 * the loop occurs in that form once, added or subtracted; and all its other loops are determined
 * already. Then equal indices imply equal iterations, even with overflow. For example, {@code t[i0,
 * i0 + i1]} determines i0 and then i1; {@code t[i0 + i1]} determines neither. A loop with one
 * iteration is always determined. An axis whose index depends on elements of tensors determines
 * nothing, because the elements may change in between.
 */
public final class SameElement {

  private SameElement() {}

  /**
   * Returns the numbers of the determined loops.
   *
   * @param common the loops around both sites
   */
  public static Set<Integer> agreed(Extents extents, Site left, Site right, List<Loop> common) {
    Set<Integer> agreed = new LinkedHashSet<>();
    for (Loop loop : common) {
      if (extents.isSingle(loop)) {
        agreed.add(loop.id());
      }
    }
    List<Polynomial> axes = sameAxes(extents, left, right);
    boolean more = true;
    while (more) {
      more = false;
      for (Polynomial axis : axes) {
        more |= tell(axis, common, agreed);
      }
    }
    return agreed;
  }

  private static List<Polynomial> sameAxes(Extents extents, Site left, Site right) {
    List<Polynomial> axes = new ArrayList<>();
    for (int axis = 0; axis < Math.min(left.at().size(), right.at().size()); axis++) {
      IndexExpression index = left.at().get(axis);
      if (!Reads.mentionsElement(index)
          && extents.canonical(index).equals(extents.canonical(right.at().get(axis)))) {
        axes.add(extents.canonical(index));
      }
    }
    return axes;
  }

  private static boolean tell(Polynomial axis, List<Loop> common, Set<Integer> agreed) {
    Set<Integer> open = new LinkedHashSet<>(axis.loops());
    open.removeAll(agreed);
    if (open.size() != 1) {
      return false;
    }
    int loop = open.iterator().next();
    Polynomial factor = axis.coefficient(new LoopIndex(loop)).orElse(Polynomial.ZERO);
    boolean tells = factor.equals(Polynomial.ONE) || factor.equals(Polynomial.constant(-1));
    return tells && common.stream().anyMatch(l -> l.id() == loop) && agreed.add(loop);
  }
}
