package dev.sublet.runtime.micro.op;

import static dev.sublet.runtime.micro.op.LoopNests.indices;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Emits the gradients of a graph's values, last value first. Each gradient is one function, which
 * sums the contributions of the value's readers.
 *
 * <p>The order of additions is fixed: first the given gradients in the order of the outputs, then
 * the readers from last to first, and each reader's operands in order. Within this order, {@link
 * Contribution.Pointwise} contributions come first, summed pairwise in one statement; {@link
 * Contribution.Folded} ones follow, then {@link Contribution.Scattered} ones. The first statement
 * assigns and the others accumulate. If all contributions are scattered, the gradient is first set
 * to zero. O(reads × axes).
 */
final class EmitGradients {

  private final MicroGraph graph;
  private final GradientTensors tensors;
  private final ForwardValues values;
  private final List<MicroFunction> functions = new ArrayList<>();

  EmitGradients(MicroGraph graph, GradientTensors tensors, ForwardValues values) {
    this.graph = requireNonNull(graph, "graph");
    this.tensors = requireNonNull(tensors, "tensors");
    this.values = requireNonNull(values, "values");
  }

  /** Returns the functions that compute every gradient that is not itself a given tensor. */
  ImmutableList<MicroFunction> emit() {
    BitSet computed = tensors.computed();
    for (int id = computed.length() - 1; id >= 0; id = computed.previousSetBit(id - 1)) {
      functions.add(new MicroFunction(tensors.gradient(id), blocks(id, contributions(id))));
    }
    return ImmutableList.copyOf(functions);
  }

  private List<Contribution> contributions(int id) {
    List<Contribution> contributions = new ArrayList<>();
    ImmutableList<IndexExpression> here = indices(graph.nodes().get(id).rank());
    for (String seed : tensors.seeds(id)) {
      contributions.add(
          new Contribution.Pointwise(new Expression.Load(Access.of(seed, here), /* outside= */ 0)));
    }
    for (int reader : tensors.readers(id)) {
      ImmutableList<MicroValue> operands = graph.nodes().get(reader).op().operands();
      OperandGradient gradient =
          new OperandGradient(graph, values, new MicroValue(reader), tensors.gradient(reader));
      for (int position = 0; position < operands.size(); position++) {
        if (operands.get(position).id() == id) {
          contributions.add(gradient.of(position));
        }
      }
    }
    return contributions;
  }

  private ImmutableList<LoopBlock> blocks(int id, List<Contribution> contributions) {
    MicroNode node = graph.nodes().get(id);
    Access target = Access.of(tensors.gradient(id), indices(node.rank()));
    ImmutableList.Builder<LoopBlock> blocks = ImmutableList.builder();
    List<Expression> numbers = new ArrayList<>();
    for (Contribution contribution : contributions) {
      if (contribution instanceof Contribution.Pointwise pointwise) {
        numbers.add(pointwise.value());
      }
    }
    boolean assigned = !numbers.isEmpty();
    if (assigned) {
      blocks.add(LoopNests.pointwise(node.shape(), put(target, sum(numbers), false)));
    }
    for (Contribution contribution : contributions) {
      if (contribution instanceof Contribution.Folded folded) {
        blocks.add(folding(node, folded, put(target, folded.result(), assigned)));
        assigned = true;
      }
    }
    if (!assigned) {
      Expression zero = ElementDerivative.literal(node.type(), 0);
      blocks.add(LoopNests.pointwise(node.shape(), new Statement.Assignment(target, zero)));
    }
    for (Contribution contribution : contributions) {
      if (contribution instanceof Contribution.Scattered scattered) {
        Access at = Access.of(target.tensor(), scattered.at());
        blocks.add(LoopNests.pointwise(scattered.shape(), put(at, scattered.value(), true)));
      }
    }
    return blocks.build();
  }

  /**
   * Returns the sum of expressions as a balanced tree, so that many readers do not make it deep.
   */
  private static Expression sum(List<Expression> numbers) {
    int count = numbers.size();
    int half = (count + 1) / 2;
    return count == 1
        ? numbers.get(0)
        : new Expression.Binary(
            BinaryOperator.ADD, sum(numbers.subList(0, half)), sum(numbers.subList(half, count)));
  }

  private static LoopBlock folding(MicroNode node, Contribution.Folded folded, Statement then) {
    CarriedVariable carried = new CarriedVariable(/* id= */ 0, folded.operator(), node.type());
    Statement.Fold fold =
        new Statement.Fold(/* carried= */ 0, folded.number(), /* position= */ Optional.empty());
    return LoopNests.folding(LoopNests.over(node.shape()), folded.inner(), carried, fold, then);
  }

  private static Statement put(Access target, Expression value, boolean assigned) {
    return assigned
        ? new Statement.Accumulation(target, ReduceOperator.SUM, value)
        : new Statement.Assignment(target, value);
  }
}
