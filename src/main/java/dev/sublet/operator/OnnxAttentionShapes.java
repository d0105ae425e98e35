package dev.sublet.operator;

import java.util.List;

/**
 * Shapes of attention: B batch, S sequence, N heads. Where a cache is passed on, its length is that
 * of the past and the present together; if both share a buffer, it stays.
 */
final class OnnxAttentionShapes {

  private OnnxAttentionShapes() {}

  /**
   * Attention of com.microsoft, that multiplies by the weights of query, key and value in one
   * matrix: [B, S, columns of the value]; the cache is [2, B, N, total, head].
   *
   * @param pastSlot the slot of the cache
   */
  static ShapeRule packedWeights(String pastSlot) {
    return call -> {
      AbstractTensor x = call.in("0");
      DimLists.checkRank(x, "input", 3);
      Quantity columns = call.in("1").dim(-1);
      List<Long> sizes = call.integers("qkv_hidden_sizes");
      boolean equal = sizes.size() != 3;
      Quantity width = equal ? columns.floorDividedBy(3) : Quantity.of((long) sizes.get(2));
      call.out("0", AbstractTensor.of(x.dim(0), x.dim(1), width));
      Quantity heads = Quantity.of(call.integer("num_heads", 1));
      Quantity head = (equal ? width : Quantity.of((long) sizes.get(0))).floorDividedBy(heads);
      Quantity total = x.dim(1);
      if (call.has(pastSlot)) {
        AbstractTensor past = call.in(pastSlot);
        total =
            call.flag("past_present_share_buffer", false) ? past.dim(3) : total.plus(past.dim(3));
      }
      call.out("1", AbstractTensor.of(Quantity.of(2), x.dim(0), heads, total, head));
    };
  }

  /**
   * {@code MultiHeadAttention}: query [B, S, width], or with key and value packed behind each head;
   * key and value of rank 3, or of rank 4 with the heads in front.
   */
  static void multiHead(ShapeCall call) {
    AbstractTensor query = call.in("0");
    Quantity heads = Quantity.of(call.integer("num_heads", 1));
    boolean isPacked = query.rank() == 5;
    Quantity width = isPacked ? heads.times(query.dim(4)) : query.dim(2);
    Quantity made = width;
    Quantity length = query.dim(1);
    Quantity valueHead = width.floorDividedBy(heads);
    if (call.has("1")) {
      AbstractTensor key = call.in("1");
      length = key.rank() == 4 ? key.dim(2) : key.dim(1);
    }
    if (call.has("2")) {
      AbstractTensor value = call.in("2");
      made = value.rank() == 4 ? heads.times(value.dim(3)) : value.dim(2);
      valueHead = made.floorDividedBy(heads);
    }
    Quantity total = call.has("6") ? length.plus(call.in("6").dim(2)) : length;
    Quantity batch = query.dim(0);
    Quantity head = width.floorDividedBy(heads);
    call.out("0", AbstractTensor.of(batch, query.dim(1), made));
    call.out("1", AbstractTensor.of(batch, heads, total, head));
    call.out("2", AbstractTensor.of(batch, heads, total, valueHead));
    call.out("3", AbstractTensor.of(batch, heads, query.dim(1), total));
  }

  /** {@code GroupQueryAttention}: fewer heads of key and value; the cache has room for all. */
  static void grouped(ShapeCall call) {
    AbstractTensor query = call.in("0");
    DimLists.checkRank(query, "query", 3);
    Quantity heads = Quantity.of(call.integer("num_heads", 1));
    Quantity groups = Quantity.of(call.integer("kv_num_heads", 1));
    Quantity width = query.dim(2);
    Quantity head = width.floorDividedBy(call.has("1") ? heads : heads.plus(groups.times(2)));
    call.out("0", AbstractTensor.of(query.dim(0), query.dim(1), head.times(heads)));
    Quantity total = OnnxInputs.number(call, "6", "total_sequence_length", 0);
    if (call.has("3")) {
      total = total.max(call.in("3").dim(2));
    }
    AbstractTensor cache = AbstractTensor.of(query.dim(0), groups, total, head);
    call.out("1", cache);
    call.out("2", cache);
  }

  /** {@code Attention} of ai.onnx: of rank 3 with the heads in the last axis, or of rank 4. */
  static void standard(ShapeCall call) {
    AbstractTensor query = call.in("0");
    AbstractTensor key = call.in("1");
    AbstractTensor value = call.in("2");
    boolean flat = query.rank() == 3;
    Quantity heads = flat ? Quantity.of(call.integer("q_num_heads", 1)) : query.dim(1);
    Quantity groups = flat ? Quantity.of(call.integer("kv_num_heads", 1)) : key.dim(1);
    Quantity head = flat ? query.dim(2).floorDividedBy(heads) : query.dim(3);
    Quantity valueHead = flat ? value.dim(2).floorDividedBy(groups) : value.dim(3);
    Quantity steps = query.dim(flat ? 1 : 2);
    Quantity length = key.dim(flat ? 1 : 2);
    Quantity total = call.has("4") ? length.plus(call.in("4").dim(2)) : length;
    Quantity batch = query.dim(0);
    call.out(
        "0",
        flat
            ? AbstractTensor.of(batch, steps, heads.times(valueHead))
            : AbstractTensor.of(batch, heads, steps, valueHead));
    call.out("1", AbstractTensor.of(batch, groups, total, head));
    call.out("2", AbstractTensor.of(batch, groups, total, valueHead));
    call.out("3", AbstractTensor.of(batch, heads, steps, total));
  }

  /** {@code LinearAttention}: like the query, as wide as all heads' values; the state stays. */
  static void linear(ShapeCall call) {
    AbstractTensor query = call.in("0");
    AbstractTensor value = call.in("2");
    Quantity heads = Quantity.of(call.integer("q_num_heads", 1));
    Quantity groups = Quantity.of(call.integer("kv_num_heads", 1));
    Quantity head = query.dim(2).floorDividedBy(heads);
    Quantity valueHead = value.dim(2).floorDividedBy(groups);
    call.out("0", AbstractTensor.of(query.dim(0), query.dim(1), heads.times(valueHead)));
    call.out(
        "1",
        call.has("3")
            ? AbstractTensor.of(call.in("3").dims())
            : AbstractTensor.of(query.dim(0), groups, head, valueHead));
  }

  /** {@code EmbedLayerNormalization}: rows of the embedding in input 2 for each word. */
  static void embed(ShapeCall call) {
    AbstractTensor words = call.in("0");
    Quantity width = call.in("2").dim(1);
    AbstractTensor rows = AbstractTensor.of(DimLists.append(words.dims(), width));
    call.out("0", rows);
    call.out("1", AbstractTensor.of(words.dim(0)));
    call.out("2", rows);
  }

  /** {@code SkipLayerNormalization}: like input 0; statistics with 1 as the last extent. */
  static void skipNormalization(ShapeCall call) {
    AbstractTensor x = call.in("0");
    AbstractTensor each = AbstractTensor.of(DimLists.with(x.dims(), x.rank() - 1, Quantity.of(1)));
    call.out("0", AbstractTensor.of(x.dims()));
    call.out("1", each);
    call.out("2", each);
    call.out("3", AbstractTensor.of(x.dims()));
  }

  /** {@code BiasSplitGelu}, {@code SwiGLU} by halves: half of the last extent. */
  static void half(ShapeCall call) {
    AbstractTensor x = call.in("0");
    Quantity width = x.dim(-1).floorDividedBy(2);
    call.out("0", AbstractTensor.of(DimLists.with(x.dims(), x.rank() - 1, width)));
  }
}
