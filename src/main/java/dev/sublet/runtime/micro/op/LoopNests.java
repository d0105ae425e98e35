package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The two shapes of loop nest to which ops and their gradients are lowered: pointwise and folding.
 */
final class LoopNests {

  private LoopNests() {}

  /**
   * Returns a nest over a shape with one statement in the innermost loop. For rank 0 it has one
   * loop from 0 to 1.
   */
  static LoopBlock pointwise(ImmutableList<IndexExpression> shape, Statement statement) {
    List<Loop> loops = over(shape);
    if (loops.isEmpty()) {
      loops.add(loop(0, new Constant(1)));
    }
    int innermost = loops.size() - 1;
    loops.set(innermost, with(loops.get(innermost), ImmutableList.of(), statement));
    return new LoopBlock(ImmutableList.copyOf(loops));
  }

  /**
   * Returns a nest that folds values along its inner loops.
   *
   * @param outer the outer loops; the innermost of them has the carried variable. If there are
   *     none, a loop from 0 to 1 has it; its number follows those of the inner loops, which are
   *     then 0, 1, …
   * @param inner the inner loops, at least one
   * @param fold the statement of the innermost loop
   * @param then the statement that uses the carried variable
   */
  static LoopBlock folding(
      List<Loop> outer,
      List<Loop> inner,
      CarriedVariable carried,
      Statement.Fold fold,
      Statement then) {
    List<Loop> loops = new ArrayList<>(outer);
    if (loops.isEmpty()) {
      loops.add(loop(inner.size(), new Constant(1)));
    }
    int pivot = loops.size() - 1;
    loops.set(pivot, with(loops.get(pivot), ImmutableList.of(carried), then));
    loops.addAll(inner);
    int innermost = loops.size() - 1;
    loops.set(innermost, with(loops.get(innermost), ImmutableList.of(), fold));
    return new LoopBlock(ImmutableList.copyOf(loops));
  }

  /** Returns loops 0, 1, … over a shape, without statements. */
  static List<Loop> over(ImmutableList<IndexExpression> shape) {
    List<Loop> loops = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      loops.add(loop(axis, shape.get(axis)));
    }
    return loops;
  }

  /** Returns a loop that starts at 0, without statements. */
  static Loop loop(int id, IndexExpression end) {
    return new Loop(id, new Constant(0), end, ImmutableList.of(), ImmutableList.of());
  }

  /** Returns the indices i0, i1, … */
  static ImmutableList<IndexExpression> indices(int rank) {
    ImmutableList.Builder<IndexExpression> indices = ImmutableList.builder();
    for (int axis = 0; axis < rank; axis++) {
      indices.add(new LoopIndex(axis));
    }
    return indices.build();
  }

  private static Loop with(Loop loop, ImmutableList<CarriedVariable> carried, Statement statement) {
    return new Loop(loop.id(), loop.start(), loop.end(), carried, ImmutableList.of(statement));
  }
}
