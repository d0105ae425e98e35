package dev.sublet.paddle;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.testing.text.ProgramText;

/** As {@link FusedPrograms}, for the passes over sequences (LoD). */
final class FusedSequencePrograms {

  private FusedSequencePrograms() {}

  /** All of them, named after the passes. */
  static ImmutableList<Model> all() {
    return ImmutableList.of(recurrentLayers(), sequences(), pooledFeatures(), expandedQueries());
  }

  private static Model model(String name, String... lines) {
    Feeds feeds = Feeds.none().withSequencesOfIds("words", 50, 3, 1, 5);
    return Model.withRandomParameters(name, ProgramText.parse(lines), feeds);
  }

  /** mul_gru_fuse, fc_gru_fuse and mul_lstm_fuse, in the layout of both directions at once. */
  private static Model recurrentLayers() {
    return recurrentLayers("gru_lstm", "");
  }

  /**
   * The same, with a value {@code beside_*} for each given name, computed after the recurrences and
   * read after the operator in front of which graph passes put them.
   */
  static Model recurrentLayersBeside(String names) {
    return recurrentLayers("gru_lstm_beside", names);
  }

  private static Model recurrentLayers(String name, String beside) {
    StringBuilder declarations = new StringBuilder();
    StringBuilder values = new StringBuilder();
    StringBuilder arguments = new StringBuilder("all");
    for (String each : Splitter.on(' ').omitEmptyStrings().split(beside)) {
      declarations.append("var beside_%s: fp32[-1,24] lod(1)\n".formatted(each));
      values.append("beside_%s = tanh(e)\n".formatted(each));
      arguments.append(" beside_").append(each);
    }
    return model(
        name,
        "version 2003002",
        "block 0",
        "feed words: int64[-1,1] lod(1)",
        "var table: fp32[50,24] persistable",
        "var w1: fp32[24,24] persistable",
        "var w2: fp32[24,24] persistable",
        "var w4: fp32[24,32] persistable",
        "var b1: fp32[24] persistable",
        "var u1: fp32[8,24] persistable",
        "var u2: fp32[8,24] persistable",
        "var u4: fp32[8,32] persistable",
        "var gb: fp32[1,24] persistable",
        "var lb: fp32[1,32] persistable",
        "var e: fp32[-1,24] lod(1)",
        "var p1: fp32[-1,24] lod(1)",
        "var q1: fp32[-1,24] lod(1)",
        "var p2: fp32[-1,24] lod(1)",
        "var p4: fp32[-1,32] lod(1)",
        "var h1: fp32[-1,8] lod(1)",
        "var h2: fp32[-1,8] lod(1)",
        "var h4: fp32[-1,8] lod(1)",
        "var c4: fp32[-1,8] lod(1)",
        "var g1: fp32[-1,24]",
        "var r1: fp32[-1,8]",
        "var k1: fp32[-1,8]",
        "var g2: fp32[-1,24]",
        "var r2: fp32[-1,8]",
        "var k2: fp32[-1,8]",
        "var g4: fp32[-1,32]",
        "var k4: fp32[-1,8]",
        "var all: fp32[-1,24] lod(1)",
        "var result: fp32[-1,24] lod(1)",
        declarations.toString(),
        "e = lookup_table(W: table, Ids: words) {padding_idx: -1L}",
        "p1 = mul(e, w1) {x_num_col_dims: 1, y_num_col_dims: 1}",
        "q1 = elementwise_add(p1, b1) {axis: 1}",
        "p2 = mul(e, w2) {x_num_col_dims: 1, y_num_col_dims: 1}",
        "p4 = mul(e, w4) {x_num_col_dims: 1, y_num_col_dims: 1}",
        "(Hidden: h1, BatchGate: g1, BatchResetHiddenPrev: r1, BatchHidden: k1) ="
            + " gru(Input: q1, Weight: u1, Bias: gb) {is_reverse: false, origin_mode: false,"
            + " gate_activation: \"sigmoid\", activation: \"tanh\"}",
        "(Hidden: h2, BatchGate: g2, BatchResetHiddenPrev: r2, BatchHidden: k2) ="
            + " gru(Input: p2, Weight: u2, Bias: gb) {is_reverse: true, origin_mode: false,"
            + " gate_activation: \"sigmoid\", activation: \"tanh\"}",
        "(Hidden: h4, Cell: c4, BatchGate: g4, BatchCellPreAct: k4) ="
            + " lstm(Input: p4, Weight: u4, Bias: lb) {use_peepholes: false, is_reverse: false,"
            + " gate_activation: \"sigmoid\", cell_activation: \"tanh\","
            + " candidate_activation: \"tanh\"}",
        values.toString(),
        "all = concat(X: h1 h2 h4) {axis: 1}",
        beside.isEmpty() ? "result = tanh(all)" : "result = sum(X: " + arguments + ")",
        "fetch(result)");
  }

  /** seqconv_eltadd_relu_fuse, beside other values over the same sequences. */
  private static Model sequences() {
    return model(
        "seqconv",
        "version 2003002",
        "block 0",
        "feed words: int64[-1,1] lod(1)",
        "var table: fp32[50,8] persistable",
        "var filter: fp32[24,8] persistable",
        "var bias: fp32[8] persistable",
        "var e: fp32[-1,8] lod(1)",
        "var c: fp32[-1,8] lod(1)",
        "var s: fp32[-1,8] lod(1)",
        "var r: fp32[-1,8] lod(1)",
        "var t: fp32[-1,8] lod(1)",
        "var u: fp32[-1,8] lod(1)",
        "var z: fp32[-1,8] lod(1)",
        "e = lookup_table(W: table, Ids: words) {padding_idx: -1L}",
        "c = sequence_conv(X: e, Filter: filter) {contextLength: 3, contextStart: -1,"
            + " contextStride: 1, paddingTrainable: false}",
        "s = elementwise_add(c, bias) {axis: 1}",
        "r = relu(s)",
        "t = tanh(e)",
        "u = exp(t)",
        "z = elementwise_add(r, u) {axis: -1}",
        "fetch(z)");
  }

  /** seqpool_cvm_concat_fuse: two pooled features, shows and clicks in front. */
  private static Model pooledFeatures() {
    String pool = " {pooltype: \"SUM\", is_test: true, pad_value: 0.0}";
    return model(
        "seqpool_cvm_concat",
        "version 2003002",
        "block 0",
        "feed words: int64[-1,1] lod(1)",
        "var table: fp32[50,8] persistable",
        "var e: fp32[-1,8] lod(1)",
        "var f: fp32[-1,8] lod(1)",
        "var g: fp32[-1,8] lod(1)",
        "var p1: fp32[-1,8]",
        "var p2: fp32[-1,8]",
        "var m1: int32[-1,8]",
        "var m2: int32[-1,8]",
        "var n: fp32[-1,2]",
        "var ns: fp32[-1,2]",
        "var k: fp32[-1,8]",
        "var mk: int32[-1,8]",
        "var v1: fp32[-1,8]",
        "var v2: fp32[-1,8]",
        "var c: fp32[-1,16]",
        "var z: fp32[-1,16]",
        "e = lookup_table(W: table, Ids: words) {padding_idx: -1L}",
        "f = sigmoid(e)",
        "(Out: p1, MaxIndex: m1) = sequence_pool(X: f)" + pool,
        "g = exp(e)",
        "(Out: p2, MaxIndex: m2) = sequence_pool(X: g)" + pool,
        "(Out: k, MaxIndex: mk) = sequence_pool(X: e)" + pool,
        "ns = slice(Input: k) {axes: [1], starts: [0], ends: [2], decrease_axis: ints []}",
        "n = sigmoid(ns)",
        "(Y: v1) = cvm(X: p1, CVM: n) {use_cvm: true}",
        "(Y: v2) = cvm(X: p2, CVM: n) {use_cvm: true}",
        "c = concat(X: v1 v2) {axis: 1}",
        "z = tanh(c)",
        "fetch(z)");
  }

  /** seq_concat_fc_fuse: a row per sequence, repeated for each of its elements. */
  private static Model expandedQueries() {
    return Model.withRandomParameters(
        "seq_concat_fc",
        ProgramText.parse(
            "version 2003002",
            "block 0",
            "feed words: int64[-1,1] lod(1)",
            "feed queries: int64[-1,1] lod(1)",
            "var table: fp32[50,8] persistable",
            "var w: fp32[24,8] persistable",
            "var b: fp32[8] persistable",
            "var e: fp32[-1,8] lod(1)",
            "var f: fp32[-1,8] lod(1)",
            "var q: fp32[-1,8] lod(1)",
            "var r: fp32[-1,8] lod(1)",
            "var s: fp32[-1,8] lod(1)",
            "var x1: fp32[-1,8] lod(1)",
            "var x2: fp32[-1,8] lod(1)",
            "var c: fp32[-1,24] lod(1)",
            "var p: fp32[-1,8] lod(1)",
            "var a: fp32[-1,8] lod(1)",
            "var y: fp32[-1,8] lod(1)",
            "var o: fp32[-1,8] lod(1)",
            "var u: fp32[-1,8] lod(1)",
            "var z: fp32[-1,8] lod(1)",
            "e = lookup_table(W: table, Ids: words) {padding_idx: -1L}",
            "f = tanh(e)",
            "q = lookup_table(W: table, Ids: queries) {padding_idx: -1L}",
            "r = tanh(q)",
            "s = exp(q)",
            "x1 = sequence_expand(X: r, Y: f) {ref_level: 0}",
            "x2 = sequence_expand(X: s, Y: f) {ref_level: 0}",
            "c = concat(X: f x1 x2) {axis: 1}",
            "p = mul(c, w) {x_num_col_dims: 1, y_num_col_dims: 1}",
            "o = sigmoid(e)",
            "u = exp(o)",
            "a = elementwise_add(p, b) {axis: 1}",
            "y = relu(a)",
            "z = elementwise_add(y, u) {axis: -1}",
            "fetch(z)"),
        Feeds.none()
            .withSequencesOfIds("words", 50, 3, 1, 5)
            .withSequencesOfIds("queries", 50, 1, 1, 1));
  }
}
