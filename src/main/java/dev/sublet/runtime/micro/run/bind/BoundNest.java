package dev.sublet.runtime.micro.run.bind;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A nest bound to known extents: the bounds of its loops and its accesses as affine forms.
 *
 * <p>The index of a loop that runs once is replaced by its value. {@link #unite} combines two loops
 * into one; the outer one remains as a loop that runs once.
 */
public final class BoundNest {

  private record United(int outer, int inner, long innerExtent) {}

  private final RunExtents extents;
  private final LoopBlock block;
  private final Map<Integer, Integer> depths = new HashMap<>();
  private final List<Affine> indices = new ArrayList<>();
  private final @Nullable Affine[] starts;
  private final @Nullable Affine[] ends;
  private final @Nullable IndexRange[] ranges;
  private final List<United> united = new ArrayList<>();

  /** Binds the loops. O(loops² + size of their bounds). */
  public BoundNest(RunExtents extents, LoopBlock block) {
    this.extents = extents;
    this.block = block;
    int loops = block.loops().size();
    this.starts = new Affine[loops];
    this.ends = new Affine[loops];
    this.ranges = new IndexRange[loops];
    for (int depth = 0; depth < loops; depth++) {
      bind(block.loops().get(depth), depth);
    }
  }

  private void bind(Loop loop, int depth) {
    Affine start = affine(loop.start());
    Affine end = affine(loop.end());
    starts[depth] = start;
    ends[depth] = end;
    Affine index = Affine.index(depth, loops());
    if (start != null && end != null) {
      IndexRange first = start.range(ranges);
      IndexRange last = end.range(ranges);
      if (first != null && last != null && last.high() > Long.MIN_VALUE) {
        ranges[depth] = new IndexRange(first.low(), Math.max(first.low(), last.high() - 1));
      }
      if (end.equals(start.plus(Affine.constant(1, loops())))) {
        index = start;
      }
    }
    checkArgument(depths.put(loop.id(), depth) == null, "two loops of a block are i%s", loop.id());
    indices.add(index);
  }

  /** Returns the number of loops. */
  public int loops() {
    return block.loops().size();
  }

  /** Returns the loop at a depth, as written. */
  public Loop loop(int depth) {
    return block.loops().get(depth);
  }

  /** Returns the first index of a loop; null if it is not affine. */
  public @Nullable Affine start(int depth) {
    return starts[depth];
  }

  /** Returns the index after the last one of a loop; null if it is not affine. */
  public @Nullable Affine end(int depth) {
    return ends[depth];
  }

  /** Returns the range of a loop's index; null if it is unknown. */
  public @Nullable IndexRange range(int depth) {
    return ranges[depth];
  }

  /** Returns the range of an affine form; null if it is unknown. */
  public @Nullable IndexRange range(Affine affine) {
    return affine.range(ranges);
  }

  /**
   * Returns the number of iterations of a loop; null unless it is known to be the same at each
   * entry.
   */
  public @Nullable Long iterations(int depth) {
    Affine start = starts[depth];
    Affine end = ends[depth];
    if (start == null || end == null) {
      return null;
    }
    Affine length = end.plus(start.times(-1));
    return length.isConstant() ? (Long) Math.max(0, length.constant()) : null;
  }

  /** Whether a loop has exactly one iteration at each entry. */
  boolean runsOnce(int depth) {
    Long iterations = iterations(depth);
    return iterations != null && iterations == 1;
  }

  /**
   * Whether no statement is ever executed, because a loop has no iterations and no enclosing loop
   * has statements. The iterations of the nest then need not be counted, so the other extents of an
   * empty tensor may be arbitrarily large.
   */
  public boolean isIdle() {
    for (int depth = 0; depth < loops(); depth++) {
      Long iterations = iterations(depth);
      if (iterations != null && iterations == 0) {
        return true;
      }
      if (!loop(depth).statements().isEmpty()) {
        return false;
      }
    }
    return false;
  }

  /** Whether a loop has neither statements nor carried variables of its own. */
  boolean isBare(int depth) {
    return loop(depth).statements().isEmpty() && loop(depth).carried().isEmpty();
  }

  /** Returns the value of an expression without loop indices. */
  public long value(IndexExpression expression) {
    return extents.value(expression);
  }

  /**
   * Returns an index as an affine form; null if it is not affine. A division by 0 is not affine, so
   * it remains a run-time error.
   */
  public @Nullable Affine affine(IndexExpression expression) {
    if (expression instanceof IndexExpression.LoopIndex loop) {
      Integer depth = depths.get(loop.id());
      checkArgument(depth != null, "there is no loop i%s around", loop.id());
      return indices.get(requireNonNull(depth));
    }
    if (expression instanceof IndexExpression.Negation negation) {
      Affine operand = affine(negation.operand());
      return operand == null ? null : operand.times(-1);
    }
    if (expression instanceof IndexExpression.Element) {
      return null;
    }
    if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      Affine left = affine(arithmetic.left());
      Affine right = affine(arithmetic.right());
      return left == null || right == null ? null : combine(arithmetic.operator(), left, right);
    }
    return Affine.constant(extents.value(expression), loops());
  }

  private @Nullable Affine combine(IndexExpression.Operator operator, Affine left, Affine right) {
    return switch (operator) {
      case ADD -> left.plus(right);
      case SUBTRACT -> left.plus(right.times(-1));
      case MULTIPLY ->
          right.isConstant()
              ? left.times(right.constant())
              : left.isConstant() ? right.times(left.constant()) : null;
      case DIVIDE -> {
        if (!right.isConstant() || right.constant() == 0) {
          yield null;
        }
        if (right.constant() == 1) {
          yield left;
        }
        yield left.isConstant()
            ? Affine.constant(Math.floorDiv(left.constant(), right.constant()), loops())
            : null;
      }
    };
  }

  /** Binds an access in this nest. O(axes × loops). */
  public BoundAccess access(Access access) {
    return access(access.tensor(), access.at(), access.checked());
  }

  /** Binds an element that is used as an index. */
  public BoundAccess access(IndexExpression.Element element) {
    return access(element.tensor(), element.at(), /* checked= */ true);
  }

  private BoundAccess access(String tensor, ImmutableList<IndexExpression> at, boolean checked) {
    ImmutableLongArray shape = extents.shape(tensor);
    checkArgument(
        shape.length() == at.size(), "%s has %s axes, not %s", tensor, shape.length(), at.size());
    BoundAccess access = new BoundAccess(tensor, checked, axes(shape, at));
    for (United pair : united) {
      access = requireNonNull(access.unite(pair.outer, pair.inner, pair.innerExtent, loops()));
    }
    return access;
  }

  /**
   * Returns the axes of an access. Adjacent axes indexed by the digits of one number ({@link
   * Digits}) become one axis.
   */
  private ImmutableList<BoundAccess.Axis> axes(
      ImmutableLongArray shape, ImmutableList<IndexExpression> at) {
    ImmutableList.Builder<BoundAccess.Axis> axes = ImmutableList.builder();
    long extent = 1;
    for (int axis = 0; axis < at.size(); axis++) {
      IndexExpression index = at.get(axis);
      extent *= shape.get(axis);
      while (axis + 1 < at.size()) {
        IndexExpression place = Digits.place(index, at.get(axis + 1), shape.get(axis + 1));
        if (place == null) {
          break;
        }
        axis++;
        index = place;
        extent *= shape.get(axis);
      }
      axes.add(new BoundAccess.Axis(extent, index, affine(index)));
      extent = 1;
    }
    return axes.build();
  }

  /**
   * Unites an outer loop and the next inner loop that runs more than once into a single loop at the
   * inner one's depth. The caller must have checked that all accesses permit it.
   */
  void unite(int outer, int inner) {
    long outerExtent = requireNonNull(iterations(outer));
    long innerExtent = requireNonNull(iterations(inner));
    united.add(new United(outer, inner, innerExtent));
    ends[outer] = Affine.constant(1, loops());
    ranges[outer] = new IndexRange(0, 0);
    ends[inner] = Affine.constant(outerExtent * innerExtent, loops());
    ranges[inner] = new IndexRange(0, outerExtent * innerExtent - 1);
  }
}
