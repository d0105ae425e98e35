package dev.sublet.runtime.kernel.loss;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.activation.SoftmaxLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/**
 * Cross entropies and their gradients.
 *
 * <p>Labels are class numbers, with extent 1 along the axis of the classes or without that axis.
 * With {@code soft_label} they are probabilities. As in Paddle, the logarithm of 0 counts as -10²⁰.
 */
public final class CrossEntropyLowerings {

  private static final double LARGEST = 1e20;

  private CrossEntropyLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("cross_entropy", CrossEntropyLowerings::crossEntropy);
    kernels.lowered("cross_entropy2", CrossEntropyLowerings::crossEntropy2);
    kernels.lowered("cross_entropy_grad", CrossEntropyLowerings::crossEntropyGradient);
    kernels.lowered("cross_entropy_grad2", CrossEntropyLowerings::crossEntropy2Gradient);
    kernels.lowered("softmax_with_cross_entropy", CrossEntropyLowerings::withSoftmax);
    kernels.lowered("softmax_with_cross_entropy_grad", CrossEntropyLowerings::withSoftmaxGradient);
  }

  /** Returns the class numbers as INT64, with extent 1 along the axis. */
  private static MicroValue classes(Formula f, MicroValue label, long[] scores, int axis) {
    Shapes.ofRankFrom(1, scores, "X");
    MicroValue shaped = f.reshape(label, Shapes.with(scores, axis, 1));
    return f.type(shaped) == ElementType.INT64 ? shaped : f.graph().cast(ElementType.INT64, shaped);
  }

  private static MicroValue bounded(Formula f, MicroValue x) {
    MicroValue below = f.apply(BinaryOperator.MINIMUM, x, LARGEST);
    return f.apply(BinaryOperator.MAXIMUM, below, -LARGEST);
  }

  /** Returns minus the logarithm, with the logarithm of 0 bounded. */
  private static MicroValue surprise(Formula f, MicroValue probability) {
    MicroValue logarithm = bounded(f, f.apply(UnaryOperator.LOG, probability));
    return f.apply(UnaryOperator.NEGATE, logarithm);
  }

  /** Returns x, with 0 where the label is the ignored one. */
  private static MicroValue heeding(
      LoweringCall lowering, Formula f, MicroValue classes, MicroValue x) {
    long ignored = lowering.call().integer("ignore_index", -100);
    MicroValue isHeeded = f.apply(BinaryOperator.NOT_EQUAL, classes, ignored);
    return f.graph().choose(isHeeded, x, f.number(x, 0));
  }

  /** Returns, for each score, whether its class is the label's class. */
  private static MicroValue isLabel(Formula f, MicroValue classes, long[] scores, int axis) {
    MicroValue position = f.position(scores, Indices.loop(axis));
    return f.apply(BinaryOperator.EQUAL, position, f.stretch(classes, scores));
  }

  private static MicroValue loss(
      LoweringCall lowering, Formula f, MicroValue probabilities, int axis) {
    MicroValue label = lowering.in("Label");
    if (lowering.call().flag("soft_label", false)) {
      MicroValue each = f.times(surprise(f, probabilities), label);
      return f.reduce(Reduction.SUM, each, axis);
    }
    MicroValue classes = classes(f, label, f.shape(probabilities), axis);
    MicroValue probability = f.graph().select(axis, probabilities, classes);
    return heeding(lowering, f, classes, surprise(f, probability));
  }

  /** Lowers {@code cross_entropy}: {@code Y} is the loss for probabilities {@code X}. */
  static void crossEntropy(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    int axis = f.rank(x) - 1;
    MicroValue loss = loss(lowering, f, x, axis);
    boolean hasNoColumn =
        !lowering.call().flag("soft_label", false) && f.rank(lowering.in("Label")) == axis;
    lowering.out("Y", hasNoColumn ? withoutColumn(f, x, loss) : loss);
  }

  /** Returns the losses of samples whose labels have no axis of one element at the end. */
  private static MicroValue withoutColumn(Formula f, MicroValue x, MicroValue loss) {
    return f.reshape(loss, Shapes.without(f.shape(x), f.rank(x) - 1));
  }

  /**
   * Lowers {@code cross_entropy2}, with {@code MatchX}: the probabilities of the labels, which the
   * gradient operator reads.
   */
  static void crossEntropy2(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    int axis = f.rank(x) - 1;
    MicroValue classes = classes(f, lowering.in("Label"), f.shape(x), axis);
    MicroValue match = f.graph().select(axis, x, classes);
    lowering.out("MatchX", heeding(lowering, f, classes, match));
    MicroValue loss = heeding(lowering, f, classes, surprise(f, match));
    boolean hasNoColumn = f.rank(lowering.in("Label")) == axis;
    lowering.out("Y", hasNoColumn ? withoutColumn(f, x, loss) : loss);
    lowering.out("XShape", f.filled(f.type(x), 0, Shapes.concat(f.shape(x), new long[] {0})));
  }

  /**
   * Lowers the gradient of {@code cross_entropy}: {@code X@GRAD} is -dy/x at the label, or
   * -dy·label/x for soft labels.
   */
  static void crossEntropyGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    int axis = shape.length - 1;
    MicroValue dy = f.reshape(lowering.in("Y@GRAD"), Shapes.with(shape, axis, 1));
    MicroValue quotient = f.apply(UnaryOperator.NEGATE, f.over(f.stretch(dy, shape), x));
    MicroValue label = lowering.in("Label");
    if (lowering.call().flag("soft_label", false)) {
      lowering.out("X@GRAD", f.times(quotient, label));
      return;
    }
    MicroValue classes = classes(f, label, shape, axis);
    MicroValue isLabel = isLabel(f, classes, shape, axis);
    MicroValue dx = f.graph().choose(isLabel, quotient, f.number(x, 0));
    lowering.out("X@GRAD", heeding(lowering, f, f.stretch(classes, shape), dx));
  }

  /**
   * Lowers {@code cross_entropy_grad2}: {@code X@GRAD} is -dy/match at the label. X itself is no
   * input.
   */
  static void crossEntropy2Gradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue match = lowering.in("MatchX");
    long[] held = lowering.call().shape("XShape").toArray();
    Shapes.ofRankFrom(2, held, "XShape");
    long[] shape = Arrays.copyOf(held, held.length - 1);
    int axis = shape.length - 1;
    MicroValue dy = f.reshape(lowering.in("Y@GRAD"), f.shape(match));
    MicroValue quotient = f.apply(UnaryOperator.NEGATE, f.over(dy, match));
    MicroValue classes = classes(f, lowering.in("Label"), shape, axis);
    MicroValue isLabel = isLabel(f, classes, shape, axis);
    MicroValue dx = f.graph().choose(isLabel, f.stretch(quotient, shape), f.number(match, 0));
    lowering.out("X@GRAD", heeding(lowering, f, f.stretch(classes, shape), dx));
  }

  /**
   * Lowers {@code softmax_with_cross_entropy}. {@code Softmax} is the softmax of {@code Logits};
   * without {@code use_softmax}, {@code Logits} are probabilities already.
   */
  static void withSoftmax(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue logits = lowering.in("Logits");
    int axis = Shapes.axis(lowering.call().integer("axis", -1), f.rank(logits));
    MicroValue softmax =
        lowering.call().flag("use_softmax", true)
            ? SoftmaxLowerings.softmax(f, logits, axis)
            : logits;
    lowering.out("Softmax", softmax);
    lowering.out("Loss", loss(lowering, f, softmax, axis));
  }

  /**
   * Lowers the gradient of {@code softmax_with_cross_entropy}: {@code Logits@GRAD} is (softmax -
   * label) · dloss.
   */
  static void withSoftmaxGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue softmax = lowering.in("Softmax");
    long[] shape = f.shape(softmax);
    int axis = Shapes.axis(call.integer("axis", -1), shape.length);
    MicroValue label = lowering.in("Label");
    MicroValue dLoss = f.stretch(lowering.in("Loss@GRAD"), shape);
    boolean soft = call.flag("soft_label", false);
    MicroValue classes = soft ? label : f.stretch(classes(f, label, shape, axis), shape);
    MicroValue target =
        soft
            ? label
            : f.graph()
                .cast(
                    f.type(softmax),
                    f.apply(BinaryOperator.EQUAL, f.position(shape, Indices.loop(axis)), classes));
    MicroValue distance =
        call.flag("use_softmax", true)
            ? f.minus(softmax, target)
            : f.apply(UnaryOperator.NEGATE, f.over(target, softmax));
    MicroValue gradient = f.times(distance, dLoss);
    lowering.out("Logits@GRAD", soft ? gradient : heeding(lowering, f, classes, gradient));
  }
}
