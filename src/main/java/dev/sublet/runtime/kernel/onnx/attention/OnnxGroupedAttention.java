package dev.sublet.runtime.kernel.onnx.attention;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.CheckedKernel;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.onnx.product.OnnxProducts;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/**
 * GroupQueryAttention: causal attention in which several heads of the query share a head of keys
 * and values, with a buffer of earlier keys and values.
 *
 * <p>Inputs: query, key, value (or all in the query), the buffers of keys and values, the number of
 * steps of each image minus one, the greatest number of steps, cosines, sines. OutputTypes 1 and 2
 * are the filled buffers. The number of steps of an image may be read only when the program runs.
 */
public final class OnnxGroupedAttention {

  private final LoweringCall lowering;
  private final OperatorCall call;
  private final Formula f;
  private final long heads;
  private final long groups;
  private final long steps;
  private final long total;

  /** The number of earlier steps, with one element per image. */
  private final MicroValue earlier;

  private OnnxGroupedAttention(LoweringCall lowering) {
    this.lowering = lowering;
    call = lowering.call();
    f = new Formula(lowering.graph());
    heads = call.integer("num_heads", 1);
    groups = call.integer("kv_num_heads", 1);
    if (heads < 1 || groups < 1 || heads % groups != 0) {
      throw new OperatorException(heads + " heads in " + groups + " groups");
    }
    long[] query = call.shape("0", 3).toArray();
    steps = query[1];
    total = IntegerArguments.first(call.input("6"));
    MicroValue lengths = f.as(ElementType.INT64, lowering.in("5"));
    lengths = f.reshape(lengths, Shapes.count(f.shape(lengths)));
    earlier =
        steps == total ? f.constant(ElementType.INT64, 0, query[0]) : f.plus(lengths, 1 - steps);
  }

  /** Registers the kernel. */
  public static void register(OnnxFamily family) {
    family.around(
        "com.microsoft.GroupQueryAttention",
        kernel ->
            new CarriedKernel(
                new CheckedKernel(kernel, OnnxGroupedAttention::checkLengths),
                Use.NUMBERS,
                OutputTypes.like(0)),
        lowering -> new OnnxGroupedAttention(lowering).lower());
  }

  private static void checkLengths(OperatorCall call) {
    long most = IntegerArguments.first(call.input("6"));
    OnnxOperands.requireInside(call.input("5"), most);
    if (call.input("5").length() != call.shape("0", 3).get(0)) {
      throw new OperatorException("seqlens_k " + call.input("5") + " for " + call.shape("0"));
    }
    if (call.flag("do_rotary", false) && call.shape("7", 2).get(0) < most) {
      throw new OperatorException(call.shape("7") + " cosines for " + most + " steps");
    }
  }

  private void lower() {
    MicroValue[] parts = parts();
    MicroValue query = parts[0];
    MicroValue key = parts[1];
    if (call.flag("do_rotary", false)) {
      OnnxRotation rotation =
          new OnnxRotation(
              lowering.in("7"), lowering.in("8"), call.flag("rotary_interleaved", false));
      long[] places = {f.shape(query)[0], steps};
      MicroValue positions =
          f.plus(f.position(places, Indices.loop(1)), f.along(earlier, places, 0));
      query = rotation.rotate(f, query, positions);
      key = rotation.rotate(f, key, positions);
    }
    MicroValue keys = filled(key, "3");
    MicroValue values = filled(parts[2], "4");
    // The heads that share keys are one head with more steps.
    long[] own = f.shape(query);
    MicroValue joint = f.reshape(query, own[0], groups, heads / groups * steps, own[3]);
    AttentionHeads scores = AttentionHeads.of(f, joint, keys, call.real("scale", 0));
    double cap = call.real("softcap", 0);
    if (cap != 0) {
      MicroValue bent = f.apply(UnaryOperator.TANH, f.over(scores.scores(), cap));
      scores = new AttentionHeads(f.times(bent, cap));
    }
    scores = scores.only(f, isSeen(f.shape(scores.scores())));
    MicroValue result =
        call.flag("smooth_softmax", false)
            ? OnnxProducts.product(f, smooth(scores.scores()), values)
            : scores.of(f, values);
    lowering.out("0", AttentionHeads.joined(f, f.reshape(result, own)));
    if (call.wants("1")) {
      lowering.out("1", keys);
    }
    if (call.wants("2")) {
      lowering.out("2", values);
    }
  }

  /** Returns query, key and value, with heads. */
  private MicroValue[] parts() {
    MicroValue query = lowering.in("0");
    if (call.has("1")) {
      return new MicroValue[] {
        AttentionHeads.split(f, query, heads),
        AttentionHeads.split(f, lowering.in("1"), groups),
        AttentionHeads.split(f, lowering.in("2"), groups)
      };
    }
    MicroValue all = AttentionHeads.split(f, query, heads + 2 * groups);
    return new MicroValue[] {
      some(all, 0, heads), some(all, heads, groups), some(all, heads + groups, groups)
    };
  }

  private MicroValue some(MicroValue all, long first, long count) {
    return f.reindex(
        all,
        Shapes.with(f.shape(all), 1, count),
        Indices.loop(0),
        Indices.plus(Indices.loop(1), first),
        Indices.loop(2),
        Indices.loop(3));
  }

  /** Returns the buffer of a slot with the steps of x after the earlier ones. */
  private MicroValue filled(MicroValue x, String slot) {
    long[] own = f.shape(x);
    long room = call.has(slot) ? Math.max(call.shape(slot, 4).get(2), total) : total;
    long[] shape = Shapes.with(own, 2, room);
    MicroValue place = f.minus(f.position(shape, Indices.loop(2)), f.along(earlier, shape, 0));
    MicroValue isEarlier = f.apply(BinaryOperator.LESS, place, 0L);
    MicroValue isLater = f.apply(BinaryOperator.GREATER_EQUAL, place, own[2]);
    MicroValue limited = f.apply(BinaryOperator.MAXIMUM, place, 0L);
    limited = f.apply(BinaryOperator.MINIMUM, limited, own[2] - 1);
    MicroValue added = f.graph().select(2, x, limited);
    added = f.graph().choose(isLater, f.number(x, 0), added);
    if (!call.has(slot)) {
      return added;
    }
    MicroValue past =
        f.reindex(
            lowering.in(slot),
            shape,
            Indices.loop(0),
            Indices.loop(1),
            Indices.loop(2),
            Indices.loop(3));
    return f.graph().choose(isEarlier, past, added);
  }

  /** Returns whether a step may look at a step: it is not later, and not out of the window. */
  private MicroValue isSeen(long[] shape) {
    MicroValue distance =
        f.plus(
            f.position(
                shape, Indices.minus(Indices.modulo(Indices.loop(2), steps), Indices.loop(3))),
            f.along(earlier, shape, 0));
    MicroValue isSeen = f.apply(BinaryOperator.GREATER_EQUAL, distance, 0L);
    long window = call.integer("local_window_size", -1);
    return window < 0
        ? isSeen
        : f.apply(BinaryOperator.AND, isSeen, f.apply(BinaryOperator.LESS_EQUAL, distance, window));
  }

  /** Returns the softmax of the scores and of one more score, which is 0. */
  private MicroValue smooth(MicroValue scores) {
    long[] shape = f.shape(scores);
    MicroValue most = f.reduce(Reduction.MAXIMUM, scores, 3);
    most = f.apply(BinaryOperator.MAXIMUM, most, 0.0);
    MicroValue powers = f.apply(UnaryOperator.EXP, f.minus(scores, f.stretch(most, shape)));
    MicroValue sum = f.reduce(Reduction.SUM, powers, 3);
    sum = f.plus(sum, f.apply(UnaryOperator.EXP, f.minus(0, most)));
    return f.over(powers, f.stretch(sum, shape));
  }
}
