package dev.sublet.runtime.micro.run;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.ExpressionTypes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.run.bind.BoundAccess;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.CoalesceLoops;
import dev.sublet.runtime.micro.run.bind.NestSurvey;
import dev.sublet.runtime.micro.run.bind.ProductForm;
import dev.sublet.runtime.micro.run.bind.RunExtents;
import dev.sublet.runtime.micro.run.bind.Tuning;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import org.jspecify.annotations.Nullable;

/** Translates a block and the extents of a run into a nest that is ready to run. */
final class NestCompiler {

  private final BoundNest nest;
  private final NestMemory memory;
  private final ExpressionTypes types;
  private final VectorizationPlan lanes;

  private NestCompiler(
      BoundNest nest, NestMemory memory, ExpressionTypes types, VectorizationPlan lanes) {
    this.nest = nest;
    this.memory = memory;
    this.types = types;
    this.lanes = lanes;
  }

  /** Returns the nest of a block. O(threads · loops² · size of the block). */
  static Nest compile(
      MicroProgram program,
      LoopBlock block,
      RunExtents extents,
      ProgramMemory programMemory,
      Tuning tuning) {
    BoundNest nest = new BoundNest(extents, block);
    if (nest.isIdle()) {
      return new Nest(ImmutableList.of((from, to) -> {}), /* items= */ 0);
    }
    CoalesceLoops.in(nest);
    NestSurvey survey = NestSurvey.of(nest);
    ExpressionTypes types = ExpressionTypes.in(program, block);
    ProductForm form = ProductForm.find(nest, survey);
    if (form != null) {
      return products(nest, form, types, programMemory, tuning);
    }
    VectorizationPlan lanes = tuning.lanes().choose(nest, survey);
    double nanos = VectorizationPlan.time(nest, survey, lanes.depth());
    int shared = nanos >= tuning.shareable() ? VectorizationPlan.sharedDepth(nest, survey) : -1;
    long items = shared < 0 ? 1 : requireNonNull(nest.iterations(shared));
    ImmutableList.Builder<LoopNest> workers = ImmutableList.builder();
    for (int worker = 0; worker == 0 || worker < Math.min(tuning.threads(), items); worker++) {
      NestMemory memory = new NestMemory(programMemory, nest);
      workers.add(new NestCompiler(nest, memory, types, lanes).loops(shared));
    }
    return new Nest(workers.build(), items);
  }

  private static Nest products(
      BoundNest nest,
      ProductForm form,
      ExpressionTypes types,
      ProgramMemory programMemory,
      Tuning tuning) {
    int threads = form.nanos() >= tuning.shareable() ? tuning.threads() : 1;
    ProductNest.Division division = ProductNest.Division.of(form, threads);
    VectorizationPlan lanes =
        new VectorizationPlan(form.lanes().innermost(), VectorizationPlan.LANES);
    ImmutableList.Builder<ProductNest> workers = ImmutableList.builder();
    for (int worker = 0; worker == 0 || worker < Math.min(threads, division.items()); worker++) {
      NestMemory memory = new NestMemory(programMemory, nest);
      workers.add(new NestCompiler(nest, memory, types, lanes).product(form, division));
    }
    return new Nest(workers.build(), division.items());
  }

  private ProductNest product(ProductForm form, ProductNest.Division division) {
    Nodes nodes = new Nodes(nest, memory, types, form.depth(), lanes.depth());
    ImmutableList<MicroStep> statements = steps(nest.loop(form.depth()), form.depth(), nodes);
    return new ProductNest(nest, form, division, memory, statements, nodes.addresses().forms());
  }

  private LoopNest loops(int shared) {
    Nodes[] nodes = new Nodes[nest.loops() + 1];
    for (int depth = -1; depth < nest.loops(); depth++) {
      nodes[depth + 1] = new Nodes(nest, memory, types, depth, lanes.depth());
    }
    LongNode[] starts = new LongNode[nest.loops()];
    LongNode[] ends = new LongNode[nest.loops()];
    for (int depth = 0; depth < nest.loops(); depth++) {
      Loop loop = nest.loop(depth);
      starts[depth] = nodes[depth].addresses().bound(nest.start(depth), loop.start());
      ends[depth] = nodes[depth].addresses().bound(nest.end(depth), loop.end());
    }
    ImmutableList.Builder<LoopNest.NestLoop> loops = ImmutableList.builder();
    for (int depth = 0; depth < nest.loops(); depth++) {
      ImmutableList<MicroStep> steps = steps(nest.loop(depth), depth, nodes[depth + 1]);
      loops.add(
          new LoopNest.NestLoop(
              starts[depth],
              ends[depth],
              nodes[depth + 1].addresses().forms(),
              carried(nest.loop(depth)),
              steps));
    }
    return new LoopNest(loops.build(), memory.index(), lanes, shared);
  }

  private ImmutableList<Carried> carried(Loop loop) {
    ImmutableList.Builder<Carried> carried = ImmutableList.builder();
    for (CarriedVariable variable : loop.carried()) {
      carried.add(memory.carried(variable.id()));
    }
    return carried.build();
  }

  private ImmutableList<MicroStep> steps(Loop loop, int depth, Nodes nodes) {
    ImmutableList.Builder<MicroStep> steps = ImmutableList.builder();
    for (Statement statement : loop.statements()) {
      if (statement instanceof Statement.Fold fold) {
        steps.add(fold(fold, depth, nodes));
      } else if (statement instanceof Statement.Assignment assignment) {
        steps.add(write(nest.access(assignment.target()), null, assignment.value(), nodes));
      } else if (statement instanceof Statement.Accumulation accumulation) {
        steps.add(
            write(
                nest.access(accumulation.target()),
                accumulation.operator(),
                accumulation.value(),
                nodes));
      } else {
        throw new AssertionError(statement);
      }
    }
    return steps.build();
  }

  /** Returns the step of an assignment, or with an operator that of an accumulation. */
  private MicroStep write(
      BoundAccess access, @Nullable ReduceOperator operator, Expression value, Nodes nodes) {
    return switch (types.ofTensor(access.tensor())) {
      case FLOAT32 -> writeFloats(access, operator, nodes.floats(value, 0), nodes);
      case FLOAT64 -> writeDoubles(access, operator, nodes.doubles(value, 0), nodes);
      default -> writeLongs(access, operator, nodes.longs(value, 0), nodes);
    };
  }

  private MicroStep writeFloats(
      BoundAccess access, @Nullable ReduceOperator operator, FloatNode value, Nodes nodes) {
    Buffer buffer = memory.buffer(access.tensor());
    RangeAddress range = nodes.addresses().range(access);
    if (range != null) {
      return operator == null
          ? new FloatStep.Store(buffer, range, value)
          : new FloatStep.Accumulate(operator, buffer, range, value, memory.scratch().floats(1));
    }
    ScatterAddress scatter = nodes.addresses().scatter(access, 1);
    return operator == null
        ? new FloatStep.Scatter(buffer, scatter, value)
        : new FloatStep.AccumulateScattered(operator, buffer, scatter, value);
  }

  private MicroStep writeDoubles(
      BoundAccess access, @Nullable ReduceOperator operator, DoubleNode value, Nodes nodes) {
    Buffer buffer = memory.buffer(access.tensor());
    RangeAddress range = nodes.addresses().range(access);
    if (range != null) {
      return operator == null
          ? new DoubleStep.Store(buffer, range, value)
          : new DoubleStep.Accumulate(operator, buffer, range, value, memory.scratch().doubles(1));
    }
    ScatterAddress scatter = nodes.addresses().scatter(access, 1);
    return operator == null
        ? new DoubleStep.Scatter(buffer, scatter, value)
        : new DoubleStep.AccumulateScattered(operator, buffer, scatter, value);
  }

  private MicroStep writeLongs(
      BoundAccess access, @Nullable ReduceOperator operator, LongNode value, Nodes nodes) {
    Buffer buffer = memory.buffer(access.tensor());
    RangeAddress range = nodes.addresses().range(access);
    if (range != null) {
      return operator == null
          ? new LongStep.Store(buffer, range, value)
          : new LongStep.Accumulate(operator, buffer, range, value);
    }
    ScatterAddress scatter = nodes.addresses().scatter(access, 1);
    return operator == null
        ? new LongStep.Scatter(buffer, scatter, value)
        : new LongStep.AccumulateScattered(operator, buffer, scatter, value);
  }

  private MicroStep fold(Statement.Fold fold, int depth, Nodes nodes) {
    Carried carried = memory.carried(fold.carried());
    boolean inOrder = carried.depth() < lanes.depth() && depth >= lanes.depth();
    LongNode position =
        nodes
            .addresses()
            .index(fold.position().orElse(new IndexExpression.Constant(0)), /* p= */ 1);
    if (carried instanceof FloatCarried floats) {
      return fold(floats, inOrder, fold.value(), position, nodes);
    }
    if (carried instanceof DoubleCarried doubles) {
      return fold(doubles, inOrder, fold.value(), position, nodes);
    }
    LongCarried longs = (LongCarried) carried;
    LongNode value = nodes.longs(fold.value(), 0);
    if (carried.operator().isPosition()) {
      return new LongStep.FoldPositions(longs, value, position, inOrder);
    }
    return inOrder ? new LongStep.FoldInOrder(longs, value) : new LongStep.Fold(longs, value);
  }

  private static MicroStep fold(
      FloatCarried carried, boolean inOrder, Expression value, LongNode position, Nodes nodes) {
    if (carried.operator().isPosition()) {
      return new FloatStep.FoldPositions(carried, nodes.floats(value, 0), position, inOrder);
    }
    if (inOrder) {
      return new FloatStep.FoldInOrder(carried, nodes.floats(value, 0));
    }
    Expression.Binary product = product(carried, value);
    if (product == null) {
      return new FloatStep.Fold(carried, nodes.floats(value, 0));
    }
    FloatNode left = nodes.floats(product.left(), 0);
    FloatNode right = nodes.floats(product.right(), 1);
    if (nodes.isUniform(product.right())) {
      return new FloatStep.AddMultiples(carried, left, right);
    }
    return nodes.isUniform(product.left())
        ? new FloatStep.AddMultiples(carried, right, left)
        : new FloatStep.AddProducts(carried, left, right);
  }

  private static MicroStep fold(
      DoubleCarried carried, boolean inOrder, Expression value, LongNode position, Nodes nodes) {
    if (carried.operator().isPosition()) {
      return new DoubleStep.FoldPositions(carried, nodes.doubles(value, 0), position, inOrder);
    }
    if (inOrder) {
      return new DoubleStep.FoldInOrder(carried, nodes.doubles(value, 0));
    }
    Expression.Binary product = product(carried, value);
    if (product == null) {
      return new DoubleStep.Fold(carried, nodes.doubles(value, 0));
    }
    DoubleNode left = nodes.doubles(product.left(), 0);
    DoubleNode right = nodes.doubles(product.right(), 1);
    if (nodes.isUniform(product.right())) {
      return new DoubleStep.AddMultiples(carried, left, right);
    }
    return nodes.isUniform(product.left())
        ? new DoubleStep.AddMultiples(carried, right, left)
        : new DoubleStep.AddProducts(carried, left, right);
  }

  /** Returns the value as a product if it is one and the carried variable is a sum, else null. */
  private static Expression.@Nullable Binary product(Carried carried, Expression value) {
    return carried.operator() == ReduceOperator.SUM
            && value instanceof Expression.Binary binary
            && binary.operator() == BinaryOperator.MULTIPLY
        ? binary
        : null;
  }
}
