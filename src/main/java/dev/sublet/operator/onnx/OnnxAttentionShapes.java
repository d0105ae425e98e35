package dev.sublet.operator.onnx;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.List;

/**
 * Shapes of attention. B is the batch, S the sequence, N the number of heads. A cache that is
 * passed on has the length of past and present together; if past and present share a buffer, its
 * length stays the same.
 */
final class OnnxAttentionShapes {

  private OnnxAttentionShapes() {}

  /**
   * Returns the rule for the attention of com.microsoft, which multiplies by the weights of query,
   * key and value in one matrix. The output is [B, S, columns of the value]; the cache is [2, B, N,
   * total, head].
   *
   * @param pastSlot the slot of the cache
   */
  static ShapeRule packedWeights(String pastSlot) {
    return call -> {
      AbstractShape x = call.in("0");
      DimLists.checkRank(x, "input", 3);
      SymbolicExtent columns = call.in("1").dim(-1);
      List<Long> sizes = call.integers("qkv_hidden_sizes");
      boolean equal = sizes.size() != 3;
      SymbolicExtent width =
          equal ? columns.floorDividedBy(3) : SymbolicExtent.of((long) sizes.get(2));
      call.out("0", AbstractShape.of(x.dim(0), x.dim(1), width));
      SymbolicExtent heads = SymbolicExtent.of(call.integer("num_heads", 1));
      SymbolicExtent head =
          (equal ? width : SymbolicExtent.of((long) sizes.get(0))).floorDividedBy(heads);
      SymbolicExtent total = x.dim(1);
      if (call.has(pastSlot)) {
        AbstractShape past = call.in(pastSlot);
        total =
            call.flag("past_present_share_buffer", false) ? past.dim(3) : total.plus(past.dim(3));
      }
      call.out("1", AbstractShape.of(SymbolicExtent.of(2), x.dim(0), heads, total, head));
    };
  }

  /**
   * {@code MultiHeadAttention}: the query is [B, S, width], or has rank 5 and contains query, key
   * and value for each head. Key and value have rank 3, or rank 4 with the heads before the
   * sequence.
   */
  static void multiHead(ShapeCall call) {
    AbstractShape query = call.in("0");
    SymbolicExtent heads = SymbolicExtent.of(call.integer("num_heads", 1));
    boolean isPacked = query.rank() == 5;
    SymbolicExtent width = isPacked ? heads.times(query.dim(4)) : query.dim(2);
    SymbolicExtent made = width;
    SymbolicExtent length = query.dim(1);
    SymbolicExtent valueHead = width.floorDividedBy(heads);
    if (call.has("1")) {
      AbstractShape key = call.in("1");
      length = key.rank() == 4 ? key.dim(2) : key.dim(1);
    }
    if (call.has("2")) {
      AbstractShape value = call.in("2");
      made = value.rank() == 4 ? heads.times(value.dim(3)) : value.dim(2);
      valueHead = made.floorDividedBy(heads);
    }
    SymbolicExtent total = call.has("6") ? length.plus(call.in("6").dim(2)) : length;
    SymbolicExtent batch = query.dim(0);
    SymbolicExtent head = width.floorDividedBy(heads);
    call.out("0", AbstractShape.of(batch, query.dim(1), made));
    call.out("1", AbstractShape.of(batch, heads, total, head));
    call.out("2", AbstractShape.of(batch, heads, total, valueHead));
    call.out("3", AbstractShape.of(batch, heads, query.dim(1), total));
  }

  /**
   * {@code GroupQueryAttention}: key and value have fewer heads than the query; the cache has room
   * for the total sequence.
   */
  static void grouped(ShapeCall call) {
    AbstractShape query = call.in("0");
    DimLists.checkRank(query, "query", 3);
    SymbolicExtent heads = SymbolicExtent.of(call.integer("num_heads", 1));
    SymbolicExtent groups = SymbolicExtent.of(call.integer("kv_num_heads", 1));
    SymbolicExtent width = query.dim(2);
    SymbolicExtent head = width.floorDividedBy(call.has("1") ? heads : heads.plus(groups.times(2)));
    call.out("0", AbstractShape.of(query.dim(0), query.dim(1), head.times(heads)));
    SymbolicExtent total = OnnxInputs.number(call, "6", "total_sequence_length", 0);
    if (call.has("3")) {
      total = total.max(call.in("3").dim(2));
    }
    AbstractShape cache = AbstractShape.of(query.dim(0), groups, total, head);
    call.out("1", cache);
    call.out("2", cache);
  }

  /**
   * {@code Attention} of ai.onnx: inputs have rank 3 with the heads in the last axis, or rank 4.
   */
  static void standard(ShapeCall call) {
    AbstractShape query = call.in("0");
    AbstractShape key = call.in("1");
    AbstractShape value = call.in("2");
    boolean flat = query.rank() == 3;
    SymbolicExtent heads = flat ? SymbolicExtent.of(call.integer("q_num_heads", 1)) : query.dim(1);
    SymbolicExtent groups = flat ? SymbolicExtent.of(call.integer("kv_num_heads", 1)) : key.dim(1);
    SymbolicExtent head = flat ? query.dim(2).floorDividedBy(heads) : query.dim(3);
    SymbolicExtent valueHead = flat ? value.dim(2).floorDividedBy(groups) : value.dim(3);
    SymbolicExtent steps = query.dim(flat ? 1 : 2);
    SymbolicExtent length = key.dim(flat ? 1 : 2);
    SymbolicExtent total = call.has("4") ? length.plus(call.in("4").dim(2)) : length;
    SymbolicExtent batch = query.dim(0);
    call.out(
        "0",
        flat
            ? AbstractShape.of(batch, steps, heads.times(valueHead))
            : AbstractShape.of(batch, heads, steps, valueHead));
    call.out("1", AbstractShape.of(batch, groups, total, head));
    call.out("2", AbstractShape.of(batch, groups, total, valueHead));
    call.out("3", AbstractShape.of(batch, heads, steps, total));
  }

  /**
   * {@code LinearAttention}: the output is like the query, but as wide as the values of all heads;
   * the state keeps its shape.
   */
  static void linear(ShapeCall call) {
    AbstractShape query = call.in("0");
    AbstractShape value = call.in("2");
    SymbolicExtent heads = SymbolicExtent.of(call.integer("q_num_heads", 1));
    SymbolicExtent groups = SymbolicExtent.of(call.integer("kv_num_heads", 1));
    SymbolicExtent head = query.dim(2).floorDividedBy(heads);
    SymbolicExtent valueHead = value.dim(2).floorDividedBy(groups);
    call.out("0", AbstractShape.of(query.dim(0), query.dim(1), heads.times(valueHead)));
    call.out(
        "1",
        call.has("3")
            ? AbstractShape.of(call.in("3").dims())
            : AbstractShape.of(query.dim(0), groups, head, valueHead));
  }

  /** {@code EmbedLayerNormalization}: one row of the embedding in input 2 per word. */
  static void embed(ShapeCall call) {
    AbstractShape words = call.in("0");
    SymbolicExtent width = call.in("2").dim(1);
    AbstractShape rows = AbstractShape.of(DimLists.append(words.dims(), width));
    call.out("0", rows);
    call.out("1", AbstractShape.of(words.dim(0)));
    call.out("2", rows);
  }

  /**
   * {@code SkipLayerNormalization}: the outputs are like input 0; the last extent of statistics is
   * 1.
   */
  static void skipNormalization(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape each =
        AbstractShape.of(DimLists.with(x.dims(), x.rank() - 1, SymbolicExtent.of(1)));
    call.out("0", AbstractShape.of(x.dims()));
    call.out("1", each);
    call.out("2", each);
    call.out("3", AbstractShape.of(x.dims()));
  }

  /** {@code BiasSplitGelu}: the last extent is halved. */
  static void half(ShapeCall call) {
    AbstractShape x = call.in("0");
    SymbolicExtent width = x.dim(-1).floorDividedBy(2);
    call.out("0", AbstractShape.of(DimLists.with(x.dims(), x.rank() - 1, width)));
  }
}
