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

/** The two shapes of nest that ops and their gradients become. */
final class LoopNests {

  private LoopNests() {}

  /** A nest over a shape with one statement inside; over no axes one loop from 0 to 1. */
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
   * A nest that folds values along its inner loops.
   *
   * @param outer the innermost of them carries; if there is none, a loop from 0 to 1 does, with a
   *     number behind those of the inner loops, which are then 0, 1, …
   * @param inner at least one
   * @param fold what the innermost loop does
   * @param then what is done with the carried variable
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

  /** Loops 0, 1, … over a shape, without statements. */
  static List<Loop> over(ImmutableList<IndexExpression> shape) {
    List<Loop> loops = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      loops.add(loop(axis, shape.get(axis)));
    }
    return loops;
  }

  /** A loop from 0, without statements. */
  static Loop loop(int id, IndexExpression end) {
    return new Loop(id, new Constant(0), end, ImmutableList.of(), ImmutableList.of());
  }

  /** i0, i1, … */
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
