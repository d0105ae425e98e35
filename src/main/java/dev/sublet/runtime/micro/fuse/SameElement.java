package dev.sublet.runtime.micro.fuse;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * In which loops two iterations must agree if they touch the same element.
 *
 * <p>An axis tells a loop if both indices have the same canonical form, in which that loop occurs
 * once, added or subtracted, and otherwise only loops that are told already: then equal indices
 * mean equal iterations, wrap around or not. Loops with one iteration are told always. Axes that
 * depend on elements of tensors tell nothing, since those may change in between.
 */
final class SameElement {

  private SameElement() {}

  /**
   * The loops told, by number.
   *
   * @param common the loops around both sites
   */
  static Set<Integer> agreed(Extents extents, Site left, Site right, List<Loop> common) {
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
