package dev.sublet.runtime.micro.op;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Judges gradients of FLOAT64 graphs by central differences of {@code Σ w y} with random weights w,
 * which are the given gradients of the outputs. The simplified program must give the same bits.
 */
final class FiniteDifferences {

  private static final double STEP = 1e-5;
  private static final double TOLERANCE = 1e-6;

  private final MicroGraph graph;
  private final MicroProgram forward;
  private final ImmutableMap<String, Tensor> inputs;
  private final ImmutableMap<String, Number> parameters;

  private FiniteDifferences(
      MicroGraph graph,
      ImmutableMap<String, Tensor> inputs,
      ImmutableMap<String, Number> parameters) {
    this.graph = graph;
    this.forward = graph.emit();
    this.inputs = inputs;
    this.parameters = parameters;
  }

  /** All gradients, once with the inputs given and once with the floating outputs, too. */
  static void check(MicroGraph graph, ImmutableMap<String, Tensor> inputs) {
    GradientRequest request = GradientRequest.fromInputs(graph);
    check(graph, request, inputs, ImmutableMap.of());
    check(
        graph,
        request.withGiven(request.outputs().toArray(new String[0])),
        inputs,
        ImmutableMap.of());
  }

  /**
   * The gradients of a request; fails with the element that is wrong. The answer is how many
   * elements are not zero.
   */
  @CanIgnoreReturnValue
  static int check(
      MicroGraph graph,
      GradientRequest request,
      ImmutableMap<String, Tensor> inputs,
      ImmutableMap<String, Number> parameters) {
    return new FiniteDifferences(graph, inputs, parameters).check(request);
  }

  /** The gradients by name of the input; the weights by name of the output. */
  static ImmutableMap<String, Tensor> gradients(
      Gradient gradient,
      ImmutableMap<String, Tensor> forwardTensors,
      ImmutableMap<String, Tensor> weights,
      ImmutableMap<String, Number> parameters) {
    MicroProgramCheck.check(gradient.program());
    checkWrites(gradient.program());
    Map<String, Tensor> given = new HashMap<>();
    for (String name : gradient.requiredInputs()) {
      if (forwardTensors.containsKey(name)) {
        Tensor tensor = requireNonNull(forwardTensors.get(name));
        given.put(name, gradient.onlyExtents().contains(name) ? poisoned(tensor) : tensor);
      }
    }
    gradient
        .outputGradients()
        .forEach((output, name) -> given.put(name, requireNonNull(weights.get(output))));
    assertThat(given.keySet()).isEqualTo(gradient.requiredInputs());
    ImmutableMap<String, Tensor> results =
        MicroInterpreter.run(gradient.program(), ImmutableMap.copyOf(given), parameters);
    MicroProgram simple = SimplifyProgram.simplify(gradient.program()).program();
    assertThat(MicroInterpreter.run(simple, ImmutableMap.copyOf(given), parameters))
        .isEqualTo(results);
    ImmutableMap.Builder<String, Tensor> named = ImmutableMap.builder();
    gradient
        .inputGradients()
        .forEach((input, name) -> named.put(input, requireNonNull(results.get(name))));
    return named.buildOrThrow();
  }

  private int check(GradientRequest request) {
    Gradient gradient = Differentiate.gradient(graph, request);
    assertThat(Differentiate.gradient(graph, request)).isEqualTo(gradient);
    ImmutableMap<String, Tensor> outputs = MicroInterpreter.run(forward, inputs, parameters);
    ImmutableMap<String, Tensor> weights = weights(request, outputs);
    ImmutableMap<String, Tensor> results =
        gradients(
            gradient,
            ImmutableMap.<String, Tensor>builder().putAll(outputs).putAll(inputs).buildOrThrow(),
            weights,
            parameters);
    assertThat(results.keySet()).isEqualTo(request.wanted());
    int notZero = 0;
    for (Map.Entry<String, Tensor> result : results.entrySet()) {
      compare(result.getKey(), result.getValue(), weights, gradient);
      for (double element : result.getValue().doubles()) {
        notZero += element == 0 ? 0 : 1;
      }
    }
    return notZero;
  }

  private static ImmutableMap<String, Tensor> weights(
      GradientRequest request, ImmutableMap<String, Tensor> outputs) {
    Random random = new Random(7);
    ImmutableMap.Builder<String, Tensor> weights = ImmutableMap.builder();
    for (String output : request.outputs()) {
      weights.put(output, random(random, requireNonNull(outputs.get(output)).shape(), -1, 1));
    }
    return weights.buildOrThrow();
  }

  private void compare(
      String name, Tensor result, ImmutableMap<String, Tensor> weights, Gradient gradient) {
    Tensor x = requireNonNull(inputs.get(name));
    assertThat(result.shape()).isEqualTo(x.shape());
    for (int i = 0; i < x.length(); i++) {
      double expected = (sum(name, i, STEP, weights) - sum(name, i, -STEP, weights)) / (2 * STEP);
      double actual = result.doubles()[i];
      double difference = Math.abs(actual - expected) / Math.max(1, Math.abs(expected));
      if (!(difference < TOLERANCE)) {
        assertWithMessage(
                "gradient of %s at %s of %s in %s", name, i, x.shape(), gradient.program())
            .that(actual)
            .isEqualTo(expected);
      }
    }
  }

  private double sum(String name, int at, double step, ImmutableMap<String, Tensor> weights) {
    Map<String, Tensor> moved = new HashMap<>(inputs);
    Tensor x = requireNonNull(inputs.get(name));
    double[] elements = x.doubles().clone();
    elements[at] += step;
    moved.put(name, Tensor.of(x.shape(), elements));
    ImmutableMap<String, Tensor> outputs =
        MicroInterpreter.run(forward, ImmutableMap.copyOf(moved), parameters);
    double sum = 0;
    for (Map.Entry<String, Tensor> weight : weights.entrySet()) {
      double[] y = requireNonNull(outputs.get(weight.getKey())).doubles();
      for (int i = 0; i < y.length; i++) {
        sum += weight.getValue().doubles()[i] * y[i];
      }
    }
    return sum;
  }

  /** Tensors are undefined until written: the first write of each must be a full assignment. */
  private static void checkWrites(MicroProgram program) {
    Set<String> written = new HashSet<>();
    for (MicroFunction function : program.functions()) {
      for (LoopBlock block : function.blocks()) {
        for (Loop loop : block.loops()) {
          for (Statement statement : loop.statements()) {
            if (statement instanceof Statement.Assignment assignment
                && written.add(assignment.target().tensor())) {
              checkFull(program.tensor(assignment.target().tensor()), assignment.target(), block);
            } else if (statement instanceof Statement.Accumulation accumulation) {
              assertThat(written).contains(accumulation.target().tensor());
            }
          }
        }
      }
    }
    for (TensorDeclaration tensor : program.tensors()) {
      assertThat(written.contains(tensor.name()))
          .isEqualTo(tensor.role() != TensorDeclaration.Role.INPUT);
    }
  }

  private static void checkFull(TensorDeclaration tensor, Access target, LoopBlock block) {
    Map<IndexExpression, IndexExpression> ends = new HashMap<>();
    for (Loop loop : block.loops()) {
      assertThat(loop.start()).isEqualTo(new IndexExpression.Constant(0));
      ends.put(new IndexExpression.LoopIndex(loop.id()), loop.end());
    }
    for (int axis = 0; axis < tensor.rank(); axis++) {
      IndexExpression extent = tensor.shape().get(axis);
      boolean single =
          extent.equals(new IndexExpression.Constant(1))
              && target.at().get(axis).equals(new IndexExpression.Constant(0));
      if (!single) {
        assertThat(ends.remove(target.at().get(axis))).isEqualTo(extent);
      }
    }
  }

  /** A tensor of its shape whose elements nobody may read. */
  private static Tensor poisoned(Tensor tensor) {
    if (tensor.type() == ElementType.FLOAT32) {
      float[] floats = new float[tensor.length()];
      Arrays.fill(floats, Float.NaN);
      return Tensor.of(tensor.shape(), floats);
    }
    assertThat(tensor.type()).isEqualTo(ElementType.FLOAT64);
    double[] doubles = new double[tensor.length()];
    Arrays.fill(doubles, Double.NaN);
    return Tensor.of(tensor.shape(), doubles);
  }

  /** Random numbers between two. */
  static Tensor random(Random random, ImmutableLongArray shape, double low, double high) {
    double[] elements = new double[Tensor.length(shape)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = low + (high - low) * random.nextDouble();
    }
    return Tensor.of(shape, elements);
  }

  /** Random numbers between -1 and 1 in a shape. */
  static Tensor random(int seed, long... shape) {
    return random(new Random(seed), ImmutableLongArray.copyOf(shape), -1, 1);
  }
}
