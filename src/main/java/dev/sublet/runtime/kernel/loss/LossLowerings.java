package dev.sublet.runtime.kernel.loss;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/** Losses that compare element by element, and accuracy. */
public final class LossLowerings {

  private LossLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("accuracy", LossLowerings::accuracy);
    kernels.lowered("bce_loss", LossLowerings::binaryCrossEntropy);
    kernels.lowered("bce_loss_grad", LossLowerings::binaryCrossEntropyGradient);
    kernels.differentiated("hinge_loss", LossLowerings::hinge);
    kernels.differentiated("huber_loss", LossLowerings::huber, LossLowerings::huberOfResidual);
    kernels.differentiated("kldiv_loss", LossLowerings::divergence);
    kernels.differentiated(
        "label_smooth", LossLowerings::labelSmooth, LossLowerings::labelSmoothOfAny);
    kernels.differentiated("log_loss", LossLowerings::logLoss);
    kernels.differentiated("nll_loss", LossLowerings::negativeLogLikelihood);
    kernels.differentiated("sigmoid_cross_entropy_with_logits", LossLowerings::sigmoidCrossEntropy);
    kernels.differentiated(
        "smooth_l1_loss", LossLowerings::smoothAbsolute, LossLowerings::smoothAbsoluteOfDifference);
  }

  private static int[] allAxes(Formula f, MicroValue x) {
    return Shapes.range(0, f.rank(x));
  }

  /**
   * Lowers a loss with {@code Out} = max(x, 0) - x·label + log(1 + exp(-|x|)), optionally divided
   * by the number of labels that are not ignored.
   */
  static void sigmoidCrossEntropy(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    MicroValue label = lowering.in("Label");
    MicroValue minusSize = f.apply(UnaryOperator.NEGATE, f.apply(UnaryOperator.ABSOLUTE, x));
    MicroValue logarithm =
        f.apply(UnaryOperator.LOG, f.plus(f.apply(UnaryOperator.EXP, minusSize), 1));
    MicroValue positive = f.apply(BinaryOperator.MAXIMUM, x, 0);
    MicroValue loss = f.plus(f.minus(positive, f.times(x, label)), logarithm);
    // Paddle ignores a label by its whole part, but counts labels as they are.
    long ignored = call.integer("ignore_index", -100);
    MicroValue whole = f.graph().cast(ElementType.INT32, label);
    MicroValue isHeeded = f.apply(BinaryOperator.NOT_EQUAL, whole, ignored);
    MicroValue out = f.graph().choose(isHeeded, loss, f.number(x, 0));
    if (call.flag("normalize", false)) {
      MicroValue isCounted = f.apply(BinaryOperator.NOT_EQUAL, label, ignored);
      MicroValue ones = f.graph().cast(f.type(x), isCounted);
      MicroValue count = f.reduce(Reduction.SUM, ones, allAxes(f, x));
      count = f.apply(BinaryOperator.MAXIMUM, count, 1e-5);
      out = f.over(out, f.stretch(count, f.shape(x)));
    }
    lowering.out("Out", out);
  }

  /**
   * Lowers the binary cross entropy of probabilities: {@code Out}, with logarithms bounded at -100.
   */
  static void binaryCrossEntropy(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue label = lowering.in("Label");
    MicroValue ifTrue = f.apply(BinaryOperator.MAXIMUM, f.apply(UnaryOperator.LOG, x), -100);
    MicroValue ifFalse =
        f.apply(BinaryOperator.MAXIMUM, f.apply(UnaryOperator.LOG, f.minus(1, x)), -100);
    MicroValue other = f.times(f.plus(label, -1), ifFalse);
    lowering.out("Out", f.minus(other, f.times(label, ifTrue)));
  }

  /**
   * Lowers {@code X@GRAD} of the binary cross entropy. Paddle divides by x (1 - x), or by 1e-12 if
   * that is larger.
   */
  private static void binaryCrossEntropyGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue slope = f.times(f.minus(1, x), x);
    MicroValue divisor = f.apply(BinaryOperator.MAXIMUM, slope, 1e-12);
    MicroValue wrong = f.minus(x, lowering.in("Label"));
    lowering.out("X@GRAD", f.times(lowering.in("Out@GRAD"), f.over(wrong, divisor)));
  }

  /**
   * Lowers the logarithmic loss of probabilities: {@code Loss}, with epsilon added to the arguments
   * of logarithms.
   */
  static void logLoss(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue p = lowering.in("Predicted");
    MicroValue label = lowering.in("Labels");
    double epsilon = lowering.call().real("epsilon", 1e-4);
    MicroValue ifTrue = f.apply(UnaryOperator.LOG, f.plus(p, epsilon));
    MicroValue ifFalse = f.apply(UnaryOperator.LOG, f.plus(f.minus(1, p), epsilon));
    MicroValue wrong = f.times(f.minus(1, label), ifFalse);
    lowering.out("Loss", f.minus(f.apply(UnaryOperator.NEGATE, f.times(label, ifTrue)), wrong));
  }

  /** Lowers the hinge loss: {@code Loss} = max(0, 1 - logits · (2 label - 1)). */
  static void hinge(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue sign = f.plus(f.times(lowering.in("Labels"), 2), -1);
    MicroValue margin = f.minus(1, f.times(lowering.in("Logits"), sign));
    lowering.out("Loss", f.apply(BinaryOperator.MAXIMUM, margin, 0));
  }

  /**
   * Lowers the Huber loss: {@code Residual} = y - x. {@code Out} is half the square of the
   * residual, and linear from delta on.
   */
  static void huber(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    double delta = lowering.call().real("delta", 1);
    MicroValue y = lowering.in("Y");
    MicroValue residual = f.minus(y, f.reshape(lowering.in("X"), f.shape(y)));
    MicroValue size = f.apply(UnaryOperator.ABSOLUTE, residual);
    MicroValue square = f.times(f.square(residual), 0.5);
    MicroValue line = f.times(f.plus(size, -0.5 * delta), delta);
    MicroValue isNear = f.apply(BinaryOperator.LESS_EQUAL, size, delta);
    lowering.out("Residual", residual);
    lowering.out("Out", f.graph().choose(isNear, square, line));
  }

  /**
   * Lowers the Huber loss for the gradient operator, which has the residual and neither x nor y.
   */
  private static void huberOfResidual(LoweringCall lowering) {
    lowering.assumeLike("X", "Residual");
    lowering.assumeLike("Y", "Residual");
    huber(lowering);
  }

  /**
   * Lowers the smooth L1 loss: {@code Diff} = (x - y) · InsideWeight. {@code Out} is, for each row,
   * the sum of half the squares of the differences, or a linear function where the difference
   * exceeds 1/σ², times OutsideWeight.
   */
  static void smoothAbsolute(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    double square = call.real("sigma", 1) * call.real("sigma", 1);
    MicroValue difference = f.minus(lowering.in("X"), lowering.in("Y"));
    if (call.has("InsideWeight")) {
      difference = f.times(difference, lowering.in("InsideWeight"));
    }
    Shapes.ofRankFrom(1, f.shape(difference), "X");
    MicroValue size = f.apply(UnaryOperator.ABSOLUTE, difference);
    MicroValue isNear = f.apply(BinaryOperator.LESS, size, 1 / square);
    MicroValue near = f.times(f.square(difference), 0.5 * square);
    MicroValue loss = f.graph().choose(isNear, near, f.plus(size, -0.5 / square));
    if (call.has("OutsideWeight")) {
      loss = f.times(loss, lowering.in("OutsideWeight"));
    }
    MicroValue sum = f.reduce(Reduction.SUM, loss, Shapes.range(1, f.rank(loss)));
    lowering.out("Diff", difference);
    lowering.out("Out", f.reshape(sum, f.shape(loss)[0], 1));
  }

  /**
   * Lowers the smooth L1 loss for the gradient operator, which has the difference and neither x nor
   * y.
   */
  private static void smoothAbsoluteOfDifference(LoweringCall lowering) {
    lowering.assumeLike("X", "Diff");
    lowering.assumeLike("Y", "Diff");
    smoothAbsolute(lowering);
  }

  /**
   * Lowers the Kullback-Leibler divergence: {@code Loss} = target · (log(target) - x), 0 where the
   * target is not positive.
   */
  static void divergence(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue target = lowering.in("Target");
    MicroValue loss = f.times(target, f.minus(f.apply(UnaryOperator.LOG, target), x));
    MicroValue isThere = f.apply(BinaryOperator.GREATER, target, 0);
    loss = f.graph().choose(isThere, loss, f.number(x, 0));
    String reduction = lowering.call().text("reduction", "mean");
    if (reduction.equals("batchmean") && Shapes.count(f.shape(loss)) == 0) {
      throw new OperatorException("the mean of no rows");
    }
    MicroValue sum =
        reduction.equals("none") ? loss : f.reduceAway(Reduction.SUM, loss, allAxes(f, loss));
    lowering.out(
        "Loss",
        switch (reduction) {
          case "none", "sum" -> sum;
          case "mean" -> f.over(sum, Shapes.count(f.shape(loss)));
          case "batchmean" -> f.over(sum, f.shape(loss)[0]);
          default -> throw new OperatorException("reduction " + reduction);
        });
  }

  /**
   * Lowers {@code label_smooth}: {@code Out} = (1 - epsilon) · label, plus epsilon times a prior
   * distribution, or times the uniform distribution.
   */
  static void labelSmooth(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    double epsilon = lowering.call().real("epsilon", 0);
    MicroValue kept = f.times(x, 1 - epsilon);
    int last = Shapes.ofRankFrom(1, f.shape(x), "X").length - 1;
    if (!lowering.call().has("PriorDist")) {
      lowering.out("Out", f.plus(kept, epsilon / (double) f.shape(x)[last]));
      return;
    }
    MicroValue prior = lowering.in("PriorDist");
    prior = f.reshape(prior, Shapes.count(f.shape(prior)));
    lowering.out("Out", f.plus(kept, f.times(f.along(prior, f.shape(x), last), epsilon)));
  }

  /**
   * Lowers {@code label_smooth} for the gradient operator, which has only the gradient of the
   * result.
   */
  private static void labelSmoothOfAny(LoweringCall lowering) {
    lowering.assumeLike("X", "Out@GRAD");
    labelSmooth(lowering);
  }

  /**
   * Lowers the negative log-likelihood loss. {@code Out} is minus the score of the label's class
   * times the weight of the class; {@code Total_weight} is the sum of the weights, by which a mean
   * divides.
   */
  static void negativeLogLikelihood(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    MicroValue label = f.graph().cast(ElementType.INT64, lowering.in("Label"));
    Shapes.ofRankFrom(2, f.shape(x), "X");
    MicroValue classes = f.reshape(label, Shapes.with(f.shape(x), 1, 1));
    MicroValue score = f.reduceAway(Reduction.SUM, f.graph().select(1, x, classes), 1);
    MicroValue isHeeded =
        f.apply(BinaryOperator.NOT_EQUAL, label, call.integer("ignore_index", -100));
    MicroValue weight = f.graph().cast(f.type(x), isHeeded);
    if (call.has("Weight")) {
      MicroValue flat = f.reshape(label, Shapes.count(f.shape(label)));
      MicroValue given = f.graph().select(0, lowering.in("Weight"), flat);
      weight = f.times(weight, f.reshape(given, f.shape(label)));
    }
    MicroValue loss = f.apply(UnaryOperator.NEGATE, f.times(score, weight));
    MicroValue total = f.reduceAway(Reduction.SUM, weight, allAxes(f, weight));
    MicroValue sum = f.reduceAway(Reduction.SUM, loss, allAxes(f, loss));
    String reduction = call.text("reduction", "mean");
    lowering.out(
        "Out",
        switch (reduction) {
          case "none" -> loss;
          case "sum" -> sum;
          case "mean" -> {
            MicroValue isNothing = f.apply(BinaryOperator.EQUAL, total, 0);
            yield f.graph().choose(isNothing, f.number(x, 0), f.over(sum, total));
          }
          default -> throw new OperatorException("reduction " + reduction);
        });
    lowering.out("Total_weight", reduction.equals("none") ? f.times(total, 0) : total);
  }

  /**
   * Lowers {@code accuracy}: {@code Correct} is the number of rows whose label is among the {@code
   * Indices}; {@code Accuracy} is their fraction.
   */
  static void accuracy(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue indices = lowering.in("Indices");
    long[] shape = Shapes.ofRank(2, f.shape(indices), "Indices");
    Shapes.ofRank(2, f.shape(lowering.in("Out")), "Out"); // Paddle reads its second extent
    if (shape[0] == 0) {
      throw new OperatorException("the accuracy of no rows, which Paddle does not write");
    }
    MicroValue label = f.stretch(f.reshape(lowering.in("Label"), shape[0], 1), shape);
    label = f.graph().cast(f.type(indices), label);
    MicroValue isThere = f.apply(BinaryOperator.EQUAL, indices, label);
    MicroValue isCorrect = f.reduce(Reduction.MAXIMUM, isThere, 1);
    MicroValue ones = f.graph().cast(ElementType.INT32, isCorrect);
    MicroValue correct = f.reduceAway(Reduction.SUM, ones, 0, 1);
    lowering.out("Correct", correct);
    lowering.out("Total", f.filled(ElementType.INT32, (double) shape[0], 1));
    lowering.out("Accuracy", f.over(f.graph().cast(ElementType.FLOAT32, correct), shape[0]));
  }
}
