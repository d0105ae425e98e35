package dev.sublet.runtime.micro.run.bind;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An access to a tensor, bound to known extents.
 *
 * @param tensor the tensor's name
 * @param checked whether the access checks its bounds
 * @param axes the axes, outermost first; adjacent axes of the tensor may be united into one
 */
public record BoundAccess(String tensor, boolean checked, ImmutableList<Axis> axes) {

  /**
   * One axis of an access.
   *
   * @param extent the extent of the axis
   * @param expression the index as written; for united axes that of the outer axis, which is then
   *     not used
   * @param affine the index as an affine form; null if it is not affine
   */
  public record Axis(long extent, IndexExpression expression, @Nullable Affine affine) {}

  /** Returns the access as written, for messages; united axes appear as one. */
  public String text() {
    StringBuilder text = new StringBuilder(tensor).append('[');
    for (int axis = 0; axis < axes.size(); axis++) {
      text.append(axis == 0 ? "" : ", ").append(axes.get(axis).expression());
    }
    return text.append(']').toString();
  }

  /** Whether all indices are affine. */
  boolean isAffine() {
    for (Axis axis : axes) {
      if (axis.affine() == null) {
        return false;
      }
    }
    return true;
  }

  /** Returns the position in the tensor's array, if all indices are affine and in bounds. */
  public @Nullable Affine flat(int loops) {
    Affine flat = Affine.constant(0, loops);
    for (Axis axis : axes) {
      Affine affine = axis.affine();
      if (affine == null) {
        return null;
      }
      flat = flat.times(axis.extent()).plus(affine);
    }
    return flat;
  }

  /** Whether an affine index depends on a loop. */
  boolean mentions(int depth) {
    for (Axis axis : axes) {
      Affine affine = axis.affine();
      if (affine != null && affine.coefficient(depth) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the access for a nest in which two loops were united into the inner one. The loops are
   * directly nested and both start at 0. There are two cases, with the inner loop running to 8:
   *
   * <pre>
   * x[.., i1 + a, i2, ..]  the two axes become one if the inner axis has extent 8
   * x[i1 * 8 + i2]         the index becomes that of the united loop
   * </pre>
   *
   * @param innerExtent the number of iterations of the inner loop
   * @return null if the access has no such form
   */
  @Nullable BoundAccess unite(int outer, int inner, long innerExtent, int loops) {
    if (!mentions(outer) && !mentions(inner)) {
      return this;
    }
    List<Axis> united = new ArrayList<>(axes);
    for (int k = 0; k < axes.size(); k++) {
      Affine index = axes.get(k).affine();
      if (index != null
          && index.coefficient(inner) != 0
          && index.coefficient(outer) == index.coefficient(inner) * innerExtent) {
        Axis axis = axes.get(k);
        united.set(k, new Axis(axis.extent(), axis.expression(), index.without(outer)));
        BoundAccess result = new BoundAccess(tensor, checked, ImmutableList.copyOf(united));
        return result.mentionsOnce(outer, inner) ? result : null;
      }
    }
    for (int k = 0; k + 1 < axes.size(); k++) {
      Affine first = axes.get(k).affine();
      Axis second = axes.get(k + 1);
      if (first != null
          && first.coefficient(outer) == 1
          && Affine.index(inner, loops).equals(second.affine())
          && second.extent() == innerExtent) {
        Affine index = first.without(outer).times(innerExtent).plus(Affine.index(inner, loops));
        united.set(
            k, new Axis(axes.get(k).extent() * innerExtent, axes.get(k).expression(), index));
        united.remove(k + 1);
        BoundAccess result = new BoundAccess(tensor, checked, ImmutableList.copyOf(united));
        return first.coefficient(inner) == 0 && result.mentionsOnce(outer, inner) ? result : null;
      }
    }
    return null;
  }

  /** Whether no axis depends on the outer loop and exactly one axis depends on the inner loop. */
  private boolean mentionsOnce(int outer, int inner) {
    int count = 0;
    for (Axis axis : axes) {
      Affine affine = axis.affine();
      if (affine != null && affine.coefficient(inner) != 0) {
        count++;
      }
    }
    return count == 1 && !mentions(outer);
  }
}
