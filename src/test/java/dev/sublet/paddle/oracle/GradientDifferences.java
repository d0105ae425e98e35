package dev.sublet.paddle.oracle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A gradient operator against central differences of its operator, along random directions, all in
 * double precision: an oracle that knows nothing of derivatives. The loss is the sum of the outputs
 * times their given gradients.
 */
public final class GradientDifferences {

  private static final String SUFFIX = "@GRAD";
  private static final double STEP = 1e-6;

  private final OracleCase gradient;
  private final OracleCase forward;
  private final Function<OperatorCall, OperatorResult> kernels;

  private GradientDifferences(
      OracleCase gradient, OracleCase forward, Function<OperatorCall, OperatorResult> kernels) {
    this.gradient = gradient;
    this.forward = forward;
    this.kernels = kernels;
  }

  /**
   * The largest difference of the gradients of a case, by the sum of the magnitudes that add up to
   * it; empty if the operator cannot be computed from what its gradient operator is given.
   *
   * @param oracleCase of a type that ends with {@code _grad}
   */
  public static OptionalDouble largest(
      OracleCase oracleCase, Function<OperatorCall, OperatorResult> kernels) {
    OracleCase gradient = widened(oracleCase).completed(kernels);
    OracleCase forward = forward(gradient, oracleCase.fromForward());
    OptionalDouble largest = OptionalDouble.empty();
    GradientDifferences differences = new GradientDifferences(gradient, forward, kernels);
    OperatorResult result = kernels.apply(gradient.call());
    for (OracleCase.Output output : gradient.outputs()) {
      String slot = forwardSlot(output.slot());
      for (int i = 0; i < forward.inputs().get(slot).size(); i++) {
        Tensor given = result.outputs().get(output.slot()).get(i).tensor();
        double difference = differences.difference(slot, i, given);
        largest = OptionalDouble.of(Math.max(largest.orElse(0), difference));
      }
    }
    return largest;
  }

  private static String forwardSlot(String slot) {
    return slot.substring(0, slot.length() - SUFFIX.length());
  }

  private static OracleCase widened(OracleCase oracleCase) {
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    oracleCase
        .inputs()
        .forEach((slot, x) -> inputs.put(slot, new LodTensor(widened(x.tensor()), x.lod())));
    return with(oracleCase, oracleCase.type(), inputs.build(), oracleCase.outputs());
  }

  private static Tensor widened(Tensor tensor) {
    return tensor.type() == ElementType.FLOAT32
        ? Tensor.of(tensor.shape(), doubles(tensor))
        : tensor;
  }

  private static double[] doubles(Tensor tensor) {
    double[] doubles = new double[tensor.length()];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = tensor.getDouble(i);
    }
    return doubles;
  }

  private static OracleCase with(
      OracleCase oracleCase,
      String type,
      ImmutableListMultimap<String, LodTensor> inputs,
      ImmutableList<OracleCase.Output> outputs) {
    return new OracleCase(
        oracleCase.text(),
        type,
        inputs,
        oracleCase.fromForward(),
        outputs,
        oracleCase.attributes(),
        oracleCase.tolerance());
  }

  /** The operator itself on the same inputs, with the outputs whose gradients are given. */
  private static OracleCase forward(OracleCase gradient, List<String> fromForward) {
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    List<OracleCase.Output> outputs = new ArrayList<>();
    for (String slot : gradient.inputs().keySet()) {
      if (slot.endsWith(SUFFIX)) {
        int count = gradient.inputs().get(slot).size();
        outputs.add(new OracleCase.Output(forwardSlot(slot), count, true, ""));
      } else if (!fromForward.contains(slot)) {
        inputs.putAll(slot, gradient.inputs().get(slot));
      }
    }
    String type = gradient.type().replaceFirst("_grad$", "");
    return with(gradient, type, inputs.build(), ImmutableList.copyOf(outputs));
  }

  private double difference(String slot, int argument, Tensor given) {
    Tensor x = forward.inputs().get(slot).get(argument).tensor();
    double[] values = doubles(x);
    double[] direction = new double[values.length];
    SplittableRandom random = new SplittableRandom(gradient.text().hashCode());
    double along = 0;
    double magnitude = 0;
    for (int i = 0; i < direction.length; i++) {
      direction[i] = random.nextDouble() * 2 - 1;
      along += direction[i] * given.getDouble(i);
      magnitude += Math.abs(direction[i] * given.getDouble(i));
    }
    double above = loss(slot, argument, moved(x.shape(), values, direction, STEP));
    double below = loss(slot, argument, moved(x.shape(), values, direction, -STEP));
    return Math.abs((above - below) / (2 * STEP) - along) / Math.max(magnitude, 1e-2);
  }

  private static Tensor moved(
      ImmutableLongArray shape, double[] values, double[] direction, double step) {
    double[] moved = values.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] += step * direction[i];
    }
    return Tensor.of(shape, moved);
  }

  private double loss(String slot, int argument, Tensor replacement) {
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    for (String other : forward.inputs().keySet()) {
      for (int i = 0; i < forward.inputs().get(other).size(); i++) {
        LodTensor own = forward.inputs().get(other).get(i);
        boolean isReplaced = other.equals(slot) && i == argument;
        inputs.put(other, isReplaced ? new LodTensor(replacement, own.lod()) : own);
      }
    }
    OracleCase moved = with(forward, forward.type(), inputs.build(), forward.outputs());
    OperatorResult result = kernels.apply(moved.call());
    double loss = 0;
    for (OracleCase.Output output : forward.outputs()) {
      for (int i = 0; i < output.count(); i++) {
        Tensor out = result.outputs().get(output.slot()).get(i).tensor();
        Tensor weight = gradient.inputs().get(output.slot() + SUFFIX).get(i).tensor();
        for (int k = 0; k < out.length(); k++) {
          loss += out.getDouble(k) * weight.getDouble(k);
        }
      }
    }
    return loss;
  }
}
