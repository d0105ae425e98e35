package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Lowering;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.CheckedKernel;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.shape.GatherLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;

/** Losses of classifications. The classes are axis 1 of input 0; input 1 has the true classes. */
public final class OnnxLosses {

  private OnnxLosses() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    add(family, "NegativeLogLikelihoodLoss", OnnxLosses::likelihood);
    add(family, "SoftmaxCrossEntropyLoss", OnnxLosses::crossEntropy);
  }

  private static void add(OnnxFamily family, String type, Lowering lowering) {
    family.around(
        type,
        kernel ->
            new CarriedKernel(
                new CheckedKernel(kernel, OnnxLosses::checkClasses),
                Use.NUMBERS,
                OutputTypes.like(0)),
        lowering);
  }

  private static void checkClasses(OperatorCall call) {
    long classes = call.shapeFrom("0", 2).get(1);
    boolean isIgnoring = call.operation().attribute("ignore_index").isPresent();
    long ignored = call.integer("ignore_index", 0);
    Tensor index = call.input("1");
    for (int i = 0; i < index.length(); i++) {
      long own = index.getLong(i);
      if ((own < 0 || own >= classes) && !(isIgnoring && own == ignored)) {
        throw new OperatorException("class " + own + " of " + classes);
      }
    }
  }

  private static void likelihood(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    lowering.out("0", loss(lowering, f, lowering.in("0")));
  }

  /** Output 1 is the logarithm of the softmax of the scores. */
  private static void crossEntropy(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue scores = lowering.in("0");
    long[] shape = Shapes.ofRankFrom(2, f.shape(scores), "input 0");
    MicroValue most = f.stretch(f.reduce(Reduction.MAXIMUM, scores, 1), shape);
    MicroValue shifted = f.minus(scores, most);
    MicroValue sum = f.reduce(Reduction.SUM, f.apply(UnaryOperator.EXP, shifted), 1);
    MicroValue logs = f.minus(shifted, f.stretch(f.apply(UnaryOperator.LOG, sum), shape));
    lowering.out("0", loss(lowering, f, logs));
    if (lowering.call().wants("1")) {
      lowering.out("1", logs);
    }
  }

  /**
   * Returns the negative logarithms of the true classes, each times its class's weight, reduced as
   * the attribute says. The mean is divided by the sum of the weights.
   */
  private static MicroValue loss(LoweringCall lowering, Formula f, MicroValue logs) {
    OperatorCall call = lowering.call();
    long[] shape = Shapes.ofRankFrom(2, f.shape(logs), "input 0");
    long[] places = Shapes.without(shape, 1);
    MicroValue classes = lowering.in("1");
    if (!Arrays.equals(f.shape(classes), places)) {
      throw new OperatorException(
          "classes " + Arrays.toString(f.shape(classes)) + " for " + Arrays.toString(shape));
    }
    Optional<MicroValue> weights = Optional.empty();
    if (call.operation().attribute("ignore_index").isPresent()) {
      long ignored = call.integer("ignore_index", 0);
      MicroValue isKept = f.apply(BinaryOperator.NOT_EQUAL, classes, ignored);
      classes = f.graph().choose(isKept, classes, f.number(classes, 0));
      weights = Optional.of(f.as(f.type(logs), isKept));
    }
    if (call.has("2")) {
      MicroValue own = GatherLowerings.selected(f, lowering.in("2"), classes, 0);
      MicroValue given = f.reshape(own, places);
      weights = Optional.of(weights.map(kept -> f.times(given, kept)).orElse(given));
    }
    MicroValue index = f.reshape(classes, Shapes.with(shape, 1, 1));
    MicroValue picked = f.reshape(f.graph().select(1, logs, index), places);
    MicroValue losses = f.minus(0, picked);
    losses = weights.isPresent() ? f.times(losses, weights.get()) : losses;
    String reduction = call.text("reduction", "mean");
    if (reduction.equals("none")) {
      return losses;
    }
    MicroValue sum = total(f, losses);
    if (reduction.equals("sum")) {
      return sum;
    }
    return weights.isPresent()
        ? f.over(sum, total(f, weights.get()))
        : f.over(sum, (double) Shapes.count(places));
  }

  private static MicroValue total(Formula f, MicroValue x) {
    return f.reshape(f.reduce(Reduction.SUM, x, Shapes.range(0, f.rank(x))));
  }
}
