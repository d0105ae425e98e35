package dev.sublet.runtime.micro.run;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.BoundAccess;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.IndexRange;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates the indices in the statements of one loop into addresses and nodes. {@link Nodes}
 * explains the numbers {@code p}.
 */
final class Addresses {

  private final BoundNest nest;
  private final NestMemory memory;
  private final int depth;

  /**
   * The depth of the lane loop; -1 if the statements are outside of that loop and run for one lane.
   */
  private final int lane;

  private final Map<Affine, LinearForm> forms = new LinkedHashMap<>();

  /**
   * Creates the addresses of a loop's statements.
   *
   * @param depth the depth of the loop; -1 for expressions before all loops
   * @param lane the depth of the lane loop, or -1
   */
  Addresses(BoundNest nest, NestMemory memory, int depth, int lane) {
    this.nest = nest;
    this.memory = memory;
    this.depth = depth;
    this.lane = lane;
  }

  /**
   * Returns the affine forms for which {@link LinearForm#enter} must run when the loop is entered.
   */
  ImmutableList<LinearForm> forms() {
    return ImmutableList.copyOf(forms.values());
  }

  /** Returns the node that loads an integer or boolean element of a tensor. */
  LongNode load(BoundAccess access, long outside, int p) {
    long[] values = memory.scratch().longs(p);
    Buffer buffer = memory.buffer(access.tensor());
    RangeAddress range = range(access);
    return range != null
        ? new LongNode.Load(buffer, range, outside, values)
        : new LongNode.Gather(buffer, scatter(access, p), outside, values);
  }

  /** Returns the node of the start or the end of the loop inside these statements' loop. */
  LongNode bound(@Nullable Affine affine, IndexExpression expression) {
    if (affine == null) {
      return index(expression, /* p= */ 0);
    }
    return affine.isConstant()
        ? new LongNode.Constant(affine.constant())
        : new IndexNode.Linear(form(affine), step(affine), memory.scratch().longs(0));
  }

  /** Returns the node of an index, with INT64 values. */
  LongNode index(IndexExpression expression, int p) {
    long[] values = memory.scratch().longs(p);
    Affine affine = nest.affine(expression);
    if (affine != null) {
      return affine.isConstant()
          ? new LongNode.Constant(affine.constant())
          : new IndexNode.Linear(form(affine), step(affine), values);
    }
    if (expression instanceof IndexExpression.Negation negation) {
      return new IndexNode.Negation(index(negation.operand(), p), values);
    }
    if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      return new IndexNode.Arithmetic(
          arithmetic, index(arithmetic.left(), p), index(arithmetic.right(), p + 1), values);
    }
    if (expression instanceof IndexExpression.Element element) {
      return load(nest.access(element), /* outside= */ 0, p);
    }
    throw new AssertionError(expression);
  }

  /** Returns the address of an access; null if an index is not affine or its step is too large. */
  @Nullable RangeAddress range(BoundAccess access) {
    Affine flat = access.flat(nest.loops());
    if (flat == null) {
      return null;
    }
    ImmutableList.Builder<RangeAddress.Bound> bounds = ImmutableList.builder();
    boolean inside = true;
    for (BoundAccess.Axis axis : access.axes()) {
      Affine index = requireNonNull(axis.affine());
      if (!VectorizationPlan.isSmall(step(index))) {
        return null;
      }
      IndexRange range = nest.range(index);
      if (range == null || !range.isInside(axis.extent())) {
        bounds.add(new RangeAddress.Bound(form(index), step(index), axis.extent()));
        inside = false;
      }
    }
    String unchecked = access.checked() || inside ? "" : access.text();
    return new RangeAddress(form(flat), step(flat), bounds.build(), unchecked);
  }

  /** Returns the address of an access with indices of any kind. */
  ScatterAddress scatter(BoundAccess access, int p) {
    ImmutableList.Builder<ScatterAddress.Axis> axes = ImmutableList.builder();
    for (BoundAccess.Axis axis : access.axes()) {
      Affine affine = axis.affine();
      LongNode index =
          affine == null
              ? index(axis.expression(), p + 1)
              : new IndexNode.Linear(form(affine), step(affine), memory.scratch().longs(p + 1));
      axes.add(new ScatterAddress.Axis(index, axis.extent()));
    }
    return new ScatterAddress(
        axes.build(), memory.scratch().longs(p), access.checked() ? "" : access.text());
  }

  private LinearForm form(Affine affine) {
    checkArgument(affine.isConstantInside(depth + 1), "an index of a loop that is not around");
    return forms.computeIfAbsent(affine, a -> new LinearForm(a, memory.index(), depth));
  }

  /** Returns the difference of a form's values in adjacent lanes. */
  private long step(Affine affine) {
    return lane < 0 ? 0 : affine.coefficient(lane);
  }

  /** Whether an index is the same in all lanes. */
  boolean isUniform(IndexExpression expression) {
    Affine affine = nest.affine(expression);
    if (affine != null) {
      return affine.coefficient(lane) == 0;
    }
    if (expression instanceof IndexExpression.Element element) {
      return element.at().stream().allMatch(this::isUniform);
    }
    if (expression instanceof IndexExpression.Negation negation) {
      return isUniform(negation.operand());
    }
    return expression instanceof IndexExpression.Arithmetic arithmetic
        && isUniform(arithmetic.left())
        && isUniform(arithmetic.right());
  }
}
