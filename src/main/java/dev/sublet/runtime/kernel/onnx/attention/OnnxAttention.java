package dev.sublet.runtime.kernel.onnx.attention;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.onnx.product.ExactSums;
import dev.sublet.runtime.kernel.onnx.product.OnnxProducts;
import dev.sublet.runtime.kernel.shape.JoinLowerings;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Attention, with or without the product that makes query, key and value from one input. */
public final class OnnxAttention {

  private OnnxAttention() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("com.microsoft.Attention", OnnxAttention::ofProduct);
    family.numbers("com.microsoft.MultiHeadAttention", OnnxAttention::multiHead);
    family.numbers("com.microsoft.QAttention", OutputTypes.asComputed(), OnnxAttention::quantized);
  }

  /**
   * Lowers Attention. Inputs: x, the weights of query, key and value, their bias, a mask, earlier
   * keys and values, a number to add to the scores. Output 1 are all keys and values.
   */
  private static void ofProduct(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    if (call.flag("past_present_share_buffer", false) || call.flag("do_rotary", false)) {
      throw new OperatorException("past_present_share_buffer or do_rotary is set");
    }
    MicroValue all = OnnxProducts.product(f, lowering.in("0"), lowering.in("1"));
    attend(lowering, f, all, List.of("3", "4", "5"));
  }

  /**
   * Lowers QAttention. Inputs: x, the weights, their bias, the scales of x and the weights, a mask,
   * the zero points of x and the weights, earlier keys and values.
   */
  private static void quantized(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = centered(lowering, f, lowering.in("0"), "6");
    MicroValue weights = centered(lowering, f, lowering.in("1"), "7");
    MicroValue scale = lowering.in("4");
    MicroValue sums = ExactSums.product(f, x, weights);
    MicroValue numbers = f.as(f.type(scale), sums);
    scale = OnnxOperands.along(f, scale, f.shape(sums), f.rank(sums) - 1);
    scale = f.times(scale, OnnxOperands.single(f, lowering.in("3")));
    attend(lowering, f, f.times(numbers, scale), List.of("5", "8", "none"));
  }

  private static MicroValue centered(
      LoweringCall lowering, Formula f, MicroValue x, String zeroPoint) {
    if (!lowering.call().has(zeroPoint)) {
      return x;
    }
    int last = f.rank(x) - 1;
    return f.minus(x, OnnxOperands.along(f, lowering.in(zeroPoint), f.shape(x), last));
  }

  /**
   * Splits a product into query, key and value, and attends.
   *
   * @param slots the slots of a mask, of earlier keys and values, and of a number to add to scores
   */
  private static void attend(
      LoweringCall lowering, Formula f, MicroValue product, List<String> slots) {
    OperatorCall call = lowering.call();
    long[] shape = Shapes.ofRank(3, f.shape(product), "input 0 times input 1");
    MicroValue all =
        call.has("2")
            ? f.plus(product, OnnxOperands.along(f, lowering.in("2"), shape, 2))
            : product;
    List<Long> given = call.integers("qkv_hidden_sizes");
    List<Long> sizes = given.isEmpty() ? List.of(shape[2] / 3, shape[2] / 3, shape[2] / 3) : given;
    if (sizes.size() != 3 || sizes.get(0) + sizes.get(1) + sizes.get(2) != shape[2]) {
      throw new OperatorException("qkv_hidden_sizes " + sizes + " of " + shape[2]);
    }
    long heads = call.integer("num_heads", 1);
    MicroValue query = AttentionHeads.split(f, columns(f, all, 0, sizes.get(0)), heads);
    MicroValue key = AttentionHeads.split(f, columns(f, all, sizes.get(0), sizes.get(1)), heads);
    MicroValue value =
        AttentionHeads.split(f, columns(f, all, sizes.get(0) + sizes.get(1), sizes.get(2)), heads);
    Optional<MicroValue> past = optional(lowering, slots.get(1));
    key = AttentionHeads.after(f, past.map(x -> half(f, x, 0)), key);
    value = AttentionHeads.after(f, past.map(x -> half(f, x, 1)), value);
    AttentionHeads scores = AttentionHeads.of(f, query, key, call.real("scale", 0));
    scores = restricted(lowering, f, scores, slots.get(0), slots.get(2));
    lowering.out("0", AttentionHeads.joined(f, scores.of(f, value)));
    if (call.wants("1")) {
      long[] whole = Shapes.concat(new long[] {1}, f.shape(key));
      List<MicroValue> both = List.of(f.reshape(key, whole), f.reshape(value, whole));
      lowering.out("1", JoinLowerings.joined(f, both, 0));
    }
  }

  private static Optional<MicroValue> optional(LoweringCall lowering, String slot) {
    return lowering.call().has(slot) ? Optional.of(lowering.in(slot)) : Optional.empty();
  }

  private static MicroValue columns(Formula f, MicroValue x, long first, long count) {
    long[] shape = Shapes.with(f.shape(x), 2, count);
    return f.reindex(
        x, shape, Indices.loop(0), Indices.loop(1), Indices.plus(Indices.loop(2), first));
  }

  /** Returns the keys (0) or the values (1) of both. */
  private static MicroValue half(Formula f, MicroValue both, long which) {
    long[] shape = Shapes.ofRank(5, f.shape(both), "the earlier keys and values");
    return f.reindex(
        both,
        Arrays.copyOfRange(shape, 1, 5),
        Indices.number(which),
        Indices.loop(0),
        Indices.loop(1),
        Indices.loop(2),
        Indices.loop(3));
  }

  /** Applies masks to scores. */
  private static AttentionHeads restricted(
      LoweringCall lowering, Formula f, AttentionHeads scores, String mask, String added) {
    OperatorCall call = lowering.call();
    AttentionHeads result = scores;
    if (call.has(mask)) {
      double filter = call.real("mask_filter_value", -10000);
      result = result.masked(f, lowering.in(mask), filter);
    }
    if (call.has(added)) {
      result = result.plus(f, lowering.in(added));
    }
    return call.flag("unidirectional", false) ? result.causal(f) : result;
  }

  /**
   * Lowers MultiHeadAttention. Inputs: query, key, value, their bias, a mask, a number to add to
   * the scores, earlier keys, earlier values. OutputTypes 1 and 2 are all keys and all values.
   */
  private static void multiHead(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long heads = call.integer("num_heads", 1);
    MicroValue[] parts = parts(lowering, f, heads);
    MicroValue key = AttentionHeads.after(f, optional(lowering, "6"), parts[1]);
    MicroValue value = AttentionHeads.after(f, optional(lowering, "7"), parts[2]);
    AttentionHeads scores = AttentionHeads.of(f, parts[0], key, call.real("scale", 0));
    scores = restricted(lowering, f, scores, "4", "5");
    lowering.out("0", AttentionHeads.joined(f, scores.of(f, value)));
    if (call.wants("1")) {
      lowering.out("1", key);
    }
    if (call.wants("2")) {
      lowering.out("2", value);
    }
  }

  /** Returns query, key and value, with heads. */
  private static MicroValue[] parts(LoweringCall lowering, Formula f, long heads) {
    OperatorCall call = lowering.call();
    MicroValue query = lowering.in("0");
    if (f.rank(query) == 5) {
      return new MicroValue[] {packed(f, query, 0), packed(f, query, 1), packed(f, query, 2)};
    }
    MicroValue key = lowering.in("1");
    MicroValue[] parts = new MicroValue[3];
    parts[0] = AttentionHeads.split(f, biased(lowering, f, query, 0), heads);
    if (f.rank(key) == 5) {
      parts[1] = packed(f, key, 0);
      parts[2] = packed(f, key, 1);
      return parts;
    }
    MicroValue value = lowering.in("2");
    if (f.rank(key) == 4) {
      parts[1] = key;
      parts[2] = value;
      return parts;
    }
    long width = f.shape(query)[2];
    parts[1] = AttentionHeads.split(f, biased(lowering, f, key, width), heads);
    long both = width + call.shape("1").get(2);
    parts[2] = AttentionHeads.split(f, biased(lowering, f, value, both), heads);
    return parts;
  }

  /** Returns one of the parts of [batch, steps, heads, parts, size], with heads before steps. */
  private static MicroValue packed(Formula f, MicroValue x, long part) {
    long[] shape = f.shape(x);
    IndexExpression[] at = {
      Indices.loop(0), Indices.loop(2), Indices.loop(1), Indices.number(part), Indices.loop(3)
    };
    return f.reindex(x, new long[] {shape[0], shape[2], shape[1], shape[4]}, at);
  }

  /** Adds the elements of the bias from one on. */
  private static MicroValue biased(LoweringCall lowering, Formula f, MicroValue x, long first) {
    if (!lowering.call().has("3")) {
      return x;
    }
    long[] shape = Shapes.ofRank(3, f.shape(x), "an input");
    lowering.call().shape("3", 1);
    MicroValue bias = f.reindex(lowering.in("3"), shape, Indices.plus(Indices.loop(2), first));
    return f.plus(x, bias);
  }
}
