package dev.sublet.paddle;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Program;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.random.TrainingLoops;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Path;
import java.util.List;

/**
 * The project's own models: small, but each with a structure that sharing must get right, and such
 * that the runtime runs them as they are.
 */
public final class MadePrograms {

  private MadePrograms() {}

  /** All of them. */
  public static ImmutableList<Model> all() {
    ImmutableList.Builder<Model> models = ImmutableList.builder();
    models.add(
        lenet(),
        residualNetwork(),
        inceptionCell(),
        attention(),
        negativeExtents(),
        inPlaceChain(),
        lstm(),
        gru(),
        whileWithArrays(),
        exclusiveBranches("first_branch", 8),
        exclusiveBranches("second_branch", 1e9),
        nestedLoops());
    return models.addAll(Taggers.all()).build();
  }

  /** A chain of convolutions and pools of shrinking size. */
  static Model lenet() {
    NetworkText net = new NetworkText();
    String x = net.feed("image", 2, 1, 28, 28);
    x = net.maxPool(net.relu(net.convolution(x, 6, 5, 1)), 2);
    x = net.maxPool(net.relu(net.convolution(x, 16, 5, 1)), 2);
    x = net.reshape(x, 2, 16 * 7 * 7);
    x = net.relu(net.linear(x, 120));
    x = net.relu(net.linear(x, 84));
    net.fetch(net.softmax(net.linear(x, 10)));
    return Model.withRandomParameters(
        "lenet", net.build(), Feeds.none().withImage("image", 2, 1, 28, 28));
  }

  /** Values that live across a few layers, some sums in place; a middle value is fetched too. */
  static Model residualNetwork() {
    NetworkText net = new NetworkText();
    String x = net.feed("image", 1, 3, 32, 32);
    x = net.relu(net.batchNorm(net.convolution(x, 16, 3, 1)));
    String middle = x;
    for (int block = 0; block < 4; block++) {
      String y = net.relu(net.batchNorm(net.convolution(x, 16, 3, 1)));
      y = net.batchNorm(net.convolution(y, 16, 3, 1));
      x = net.relu(block % 2 == 0 ? net.add(y, x) : net.addInPlace(y, x));
      middle = block == 1 ? x : middle;
    }
    x = net.batchNorm(net.convolution(x, 32, 3, 2));
    x = net.reshape(net.globalAveragePool(x), 1, 32);
    net.fetch(net.softmax(net.linear(x, 10)));
    net.fetch(middle);
    return Model.withRandomParameters(
        "residual_network", net.build(), Feeds.none().withImage("image", 1, 3, 32, 32));
  }

  /** Four branches of one value, concatenated. */
  static Model inceptionCell() {
    NetworkText net = new NetworkText();
    String x = net.feed("image", 1, 16, 24, 24);
    for (int cell = 0; cell < 2; cell++) {
      String a = net.relu(net.batchNorm(net.convolution(x, 8, 1, 1)));
      String b = net.relu(net.batchNorm(net.convolution(x, 8, 1, 1)));
      b = net.relu(net.batchNorm(net.convolution(b, 12, 3, 1)));
      String c = net.relu(net.convolution(net.relu(net.convolution(x, 4, 1, 1)), 8, 5, 1));
      String d = net.convolution(x, 4, 1, 1);
      x = net.concatChannels(a, b, c, d);
    }
    net.fetch(net.reshape(net.globalAveragePool(x), 1, 32));
    return Model.withRandomParameters(
        "inception_cell", net.build(), Feeds.none().withImage("image", 1, 16, 24, 24));
  }

  /** Two heads of self-attention: views, products of temporaries, and a residual sum. */
  static Model attention() {
    NetworkText net = new NetworkText();
    String x = net.feed("tokens", 1, 12, 32);
    String q = heads(net, net.linear(x, 32));
    String k = heads(net, net.linear(x, 32));
    String v = heads(net, net.linear(x, 32));
    String weights = net.softmax(net.scale(net.matmul(q, k, true), 0.25));
    String mixed = net.transpose(net.matmul(weights, v, false), 0, 2, 1, 3);
    String y = net.layerNorm(net.add(net.linear(net.reshape(mixed, 1, 12, 32), 32), x));
    String inner = net.unary("gelu", net.linear(y, 64));
    net.fetch(net.layerNorm(net.add(net.linear(inner, 32), y)));
    return Model.withRandomParameters(
        "attention", net.build(), Feeds.none().withImage("tokens", 1, 12, 32));
  }

  private static String heads(NetworkText net, String x) {
    return net.transpose(net.reshape(x, 1, 12, 2, 16), 0, 2, 1, 3);
  }

  /**
   * Attention over the columns of an image of open width, declared as Paddle declares it when a -1
   * has been multiplied: -25, -50, -100 and -200 are all open.
   */
  static Model negativeExtents() {
    return Model.withRandomParameters(
        "negative_extents",
        ProgramText.parse(
            """
            version 2003002
            block 0
              feed image: fp32[-1,3,8,-1] check_feed
              var filter: fp32[8,3,3,3] persistable
              var wq: fp32[8,8] persistable
              var wk: fp32[8,8] persistable
              var wv: fp32[8,8] persistable
              var c: fp32[-1,8,4,-25]
              var f: fp32[-1,8,-100]
              var fs: fp32[0,-1,8,4,-25]
              var t: fp32[-1,-100,8]
              var ts: fp32[0,-1,8,-100]
              var q: fp32[-1,-100,8]
              var k: fp32[-1,-100,8]
              var v: fp32[-1,-100,8]
              var s: fp32[-1,-100,-100]
              var p: fp32[-1,-100,-100]
              var m: fp32[-1,-100,8]
              var a: fp32[-1,-100,8]
              var both: fp32[-1,-200,8]
              var half: fp32[-1,-50,8]
              var g: fp32[-1,-200,8]
              (Output: c) = conv2d(Input: image, Filter: filter) {strides: [2,2], paddings: [1,1], dilations: [1,1], groups: 1, padding_algorithm: "EXPLICIT", data_format: "NCHW"}
              (Out: f, XShape: fs) = flatten_contiguous_range(c) {start_axis: 2, stop_axis: 3}
              (Out: t, XShape: ts) = transpose2(f) {axis: [0,2,1]}
              q = matmul_v2(t, wq) {trans_x: false, trans_y: false}
              k = matmul_v2(t, wk) {trans_x: false, trans_y: false}
              v = matmul_v2(t, wv) {trans_x: false, trans_y: false}
              s = matmul_v2(q, k) {trans_x: false, trans_y: true}
              p = softmax(s) {axis: -1}
              m = matmul_v2(p, v) {trans_x: false, trans_y: false}
              a = elementwise_add(m, t) {axis: -1}
              both = concat(X: a t) {axis: 1}
              half = slice(Input: both) {axes: [1], starts: [0], ends: [50], infer_flags: [1], decrease_axis: ints []}
              g = gelu(both) {approximate: false}
              fetch(half)
              fetch(g)
            """),
        Feeds.none().withImage("image", 1, 3, 8, 50));
  }

  /** Operators in place, written so and becoming so, around a value that must survive them. */
  static Model inPlaceChain() {
    NetworkText net = new NetworkText();
    String x = net.feed("x", 4, 64);
    String kept = net.scale(x, 0.5);
    String y = net.inPlace("tanh", net.inPlace("relu", net.scale(kept, 2.0)));
    y = net.relu(net.unary("sigmoid", net.unary("exp", y)));
    y = net.addInPlace(net.linear(y, 64), kept);
    y = net.reshape(net.inPlace("sqrt", net.unary("abs", y)), 8, 32);
    y = net.scale(net.softmax(net.transpose(y, 1, 0)), 3.0);
    net.fetch(y);
    net.fetch(net.unary("square", kept));
    return Model.withRandomParameters(
        "in_place_chain", net.build(), Feeds.none().withImage("x", 4, 64));
  }

  /** Sequences of different lengths in one tensor, beside features without any. */
  static Model lstm() {
    return Model.withRandomParameters(
        "lstm",
        ProgramText.parse(
            """
            version 2003002
            block 0
              feed words: int64[-1,1] lod(1) check_feed
              var table: fp32[50,16] persistable
              var w1: fp32[16,64] persistable
              var w2: fp32[16,64] persistable
              var b: fp32[1,64] persistable
              var embedded: fp32[-1,16] lod(1)
              var gates: fp32[-1,64] lod(1)
              var hidden: fp32[-1,16] lod(1)
              var cell: fp32[-1,16] lod(1)
              var batch_gate: fp32[-1,64] lod(1)
              var batch_cell: fp32[-1,16] lod(1)
              var squashed: fp32[-1,16] lod(1)
              var sum: fp32[-1,16] lod(1)
              var pooled: fp32[-1,16]
              var index: int32[-1,16]
              var last: fp32[-1,16]
              var last_index: int32[-1,16]
              var w3: fp32[16,16] persistable
              var mixed: fp32[-1,16]
              var product: fp32[-1,16]
              var rectified: fp32[-1,16]
              var normalized: fp32[-1,16]
              var result: fp32[-1,16]
              feed features: fp32[-1,16] check_feed
              var dense1: fp32[-1,16]
              var dense2: fp32[-1,16]
              var dense3: fp32[-1,16]
              dense1 = mul(features, w3) {x_num_col_dims: 1, y_num_col_dims: 1}
              dense2 = tanh(dense1)
              dense3 = softmax(dense2) {axis: -1}
              embedded = lookup_table(W: table, Ids: words) {padding_idx: -1L}
              gates = mul(embedded, w1) {x_num_col_dims: 1, y_num_col_dims: 1}
              (Hidden: hidden, Cell: cell, BatchGate: batch_gate, BatchCellPreAct: batch_cell) = \
            lstm(Input: gates, Weight: w2, Bias: b) {use_peepholes: false, is_reverse: false, \
            gate_activation: "sigmoid", cell_activation: "tanh", candidate_activation: "tanh"}
              squashed = tanh(hidden)
              sum = elementwise_add(squashed, cell) {axis: -1}
              (Out: pooled, MaxIndex: index) = sequence_pool(sum) {pooltype: "MAX", is_test: true}
              (Out: last, MaxIndex: last_index) = sequence_pool(sum) {pooltype: "LAST", \
            is_test: true}
              mixed = elementwise_mul(pooled, last) {axis: -1}
              product = mul(mixed, w3) {x_num_col_dims: 1, y_num_col_dims: 1}
              rectified = relu(product)
              normalized = softmax(rectified) {axis: -1}
              result = elementwise_add(normalized, dense3) {axis: -1}
              fetch(result)
              fetch(sum)
            """),
        Feeds.none().withSequencesOfIds("words", 50, 3, 1, 5).withImage("features", 3, 16));
  }

  /** A recurrent layer in each direction over sequences, beside features without any. */
  static Model gru() {
    return Model.withRandomParameters(
        "gru",
        ProgramText.parse(
            """
            version 2003002
            block 0
              feed words: int64[-1,1] lod(1) check_feed
              var table: fp32[50,48] persistable
              var w1: fp32[16,48] persistable
              var w2: fp32[16,48] persistable
              var b: fp32[1,48] persistable
              var embedded: fp32[-1,48] lod(1)
              var forward: fp32[-1,16] lod(1)
              var gate1: fp32[-1,48]
              var reset1: fp32[-1,16]
              var batch1: fp32[-1,16]
              var backward: fp32[-1,16] lod(1)
              var gate2: fp32[-1,48]
              var reset2: fp32[-1,16]
              var batch2: fp32[-1,16]
              var both: fp32[-1,32] lod(1)
              var rectified: fp32[-1,32] lod(1)
              var scaled: fp32[-1,32] lod(1)
              var w3: fp32[32,32] persistable
              var sums: fp32[-1,32]
              var index: int32[-1,32]
              var product: fp32[-1,32]
              var squashed: fp32[-1,32]
              var result: fp32[-1,32]
              feed features: fp32[-1,32] check_feed
              var dense1: fp32[-1,32]
              var dense2: fp32[-1,32]
              var dense3: fp32[-1,32]
              dense1 = mul(features, w3) {x_num_col_dims: 1, y_num_col_dims: 1}
              dense2 = relu(dense1)
              dense3 = softmax(dense2) {axis: -1}
              embedded = lookup_table(W: table, Ids: words) {padding_idx: -1L}
              (Hidden: forward, BatchGate: gate1, BatchResetHiddenPrev: reset1, \
            BatchHidden: batch1) = gru(Input: embedded, Weight: w1, Bias: b) {is_reverse: false, \
            is_test: true}
              (Hidden: backward, BatchGate: gate2, BatchResetHiddenPrev: reset2, \
            BatchHidden: batch2) = gru(Input: embedded, Weight: w2, Bias: b) {is_reverse: true, \
            is_test: true}
              both = concat(forward backward) {axis: 1}
              rectified = relu(both)
              scaled = scale(rectified) {scale: 2.0}
              (Out: sums, MaxIndex: index) = sequence_pool(scaled) {pooltype: "SUM", is_test: true}
              product = mul(sums, w3) {x_num_col_dims: 1, y_num_col_dims: 1}
              squashed = tanh(product)
              result = elementwise_add(squashed, dense3) {axis: -1}
              fetch(result)
            """),
        Feeds.none().withSequencesOfIds("words", 50, 4, 2, 1).withImage("features", 3, 32));
  }

  /** Each step reads the last element of an array and appends the next. */
  static Model whileWithArrays() {
    return Model.withRandomParameters(
        "while_with_arrays",
        ProgramText.parse(
            """
            version 2003002
            default fp32[2,8]
            block 0
              feed x: fp32[2,8] check_feed
              var w: fp32[8,8] persistable
              var i: int64[1]
              var n: int64[1]
              var c: bool[1]
              var states: array fp32[2,8]
              i = fill_constant() {shape: [1L], dtype: 3, value: 0.0, force_cpu: true}
              n = fill_constant() {shape: [1L], dtype: 3, value: 4.0, force_cpu: true}
              start = tanh(x)
              first = scale(start) {scale: 0.5}
              states = write_to_array(first, I: i)
              c = less_than(i, n) {axis: -1, force_cpu: true}
              while(X: w i n states c, Condition: c) -> (Out: i states c, StepScopes: scopes) \
            {sub_block: 1, is_test: true}
              last = read_from_array(states, I: n)
              rectified = relu(last)
              sum = elementwise_add(rectified, start) {axis: -1}
              result = sigmoid(sum)
              fetch(result)
            block 1 parent 0
              state = read_from_array(states, I: i)
              product = matmul_v2(state, w) {trans_x: false, trans_y: false}
              squashed = tanh(product)
              shifted = scale(squashed) {scale: 1.0, bias: 0.25}
              next = elementwise_add(shifted, state) {axis: -1}
              i = increment(i) {step: 1.0}
              states = write_to_array(next, I: i)
              c = less_than(i, n) {axis: -1, force_cpu: true}
            """),
        Feeds.none().withImage("x", 2, 8));
  }

  /**
   * {@code cond} as Paddle 2 exports it: two conditional blocks and the choice between them. The
   * first one runs if a sum is greater than the bound.
   */
  static Model exclusiveBranches(String name, double bound) {
    return Model.withRandomParameters(
        name,
        ProgramText.parse(
            """
            version 2003002
            default fp32[4,16]
            block 0
              feed x: fp32[4,16] check_feed
              var w: fp32[16,16] persistable
              var total: fp32[1]
              var bound: fp32[1]
              var c: bool[1]
              var not_c: bool[1]
              var choice: int32[1]
              a = matmul_v2(x, w) {trans_x: false, trans_y: false}
              b = relu(a)
              total = reduce_sum(b) {reduce_all: true, dim: [0], keep_dim: false}
              bound = fill_constant() {shape: [1L], dtype: 5, value: BOUND}
              c = greater_than(total, bound) {axis: -1}
              conditional_block(Cond: c, Input: b) -> (Out: yes, Scope: scope1) {sub_block: 1, \
            is_scalar_condition: true}
              not_c = logical_not(c)
              conditional_block(Cond: not_c, Input: b a) -> (Out: no, Scope: scope2) \
            {sub_block: 2, is_scalar_condition: true}
              choice = cast(c) {in_dtype: 0, out_dtype: 2}
              chosen = select_input(X: no yes, Mask: choice)
              d = tanh(chosen)
              e = scale(d) {scale: 2.0}
              f = elementwise_add(e, b) {axis: -1}
              fetch(f)
            block 1 parent 0
              p = sigmoid(b)
              q = scale(p) {scale: 3.0}
              r = sqrt(q)
              yes = assign(r)
            block 2 parent 0
              s = exp(a)
              t = elementwise_add(s, b) {axis: -1}
              no = assign(t)
            """
                .replace("BOUND", Double.toString(bound))),
        Feeds.none().withImage("x", 4, 16));
  }

  /** A loop in a loop; both carry values over their back edges. */
  static Model nestedLoops() {
    return Model.withRandomParameters(
        "nested_loops",
        ProgramText.parse(
            """
            version 2003002
            default fp32[3,8]
            block 0
              feed x: fp32[3,8] check_feed
              var w: fp32[8,8] persistable
              var i: int64[1]
              var j: int64[1]
              var n: int64[1]
              var m: int64[1]
              var c: bool[1]
              i = fill_constant() {shape: [1L], dtype: 3, value: 0.0, force_cpu: true}
              n = fill_constant() {shape: [1L], dtype: 3, value: 3.0, force_cpu: true}
              m = fill_constant() {shape: [1L], dtype: 3, value: 2.0, force_cpu: true}
              a = tanh(x)
              state = scale(a) {scale: 0.5}
              c = less_than(i, n) {axis: -1, force_cpu: true}
              while(X: w i n m state c, Condition: c) -> (Out: i j state c, StepScopes: scopes) \
            {sub_block: 1, is_test: true}
              b = relu(state)
              d = elementwise_add(b, a) {axis: -1}
              fetch(d)
            block 1 parent 0
              var inner_c: bool[1]
              outer = matmul_v2(state, w) {trans_x: false, trans_y: false}
              sum = tanh(outer)
              j = fill_constant() {shape: [1L], dtype: 3, value: 0.0, force_cpu: true}
              inner_c = less_than(j, m) {axis: -1, force_cpu: true}
              while(X: w j m sum inner_c, Condition: inner_c) -> (Out: j sum inner_c, \
            StepScopes: inner_scopes) {sub_block: 2, is_test: true}
              scaled = scale(sum) {scale: 0.5}
              next = elementwise_add(scaled, state) {axis: -1}
              state = assign(next)
              i = increment(i) {step: 1.0}
              c = less_than(i, n) {axis: -1, force_cpu: true}
            block 2 parent 1
              u = sigmoid(sum)
              v = matmul_v2(u, w) {trans_x: false, trans_y: false}
              z = elementwise_add(v, sum) {axis: -1}
              sum = assign(z)
              j = increment(j) {step: 1.0}
              inner_c = less_than(j, m) {axis: -1, force_cpu: true}
            """),
        Feeds.none().withImage("x", 3, 8));
  }

  /**
   * The training program of the examples: an encoder, a decoder that steps over arrays in {@code
   * while}, the loss, {@code while_grad}, and an update of each parameter. Also fetches the
   * gradients of the dense parameters. {@link #all} leaves it out: Paddle's graph passes and its
   * own memory optimization are for inference, and end with an error on it.
   */
  static Model machineTranslation() {
    Program example =
        ProgramReader.read(Path.of("testdata/examples/machine_translation/program.textproto"));
    ProgramDesc.Builder message = example.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    List<String> parameters = List.of("src_w", "src_b", "wx", "wh", "bh", "wo", "bo");
    for (int i = 0; i < parameters.size(); i++) {
      block.addOps(fetch(parameters.get(i) + "@GRAD", i + 1));
    }
    return Model.withRandomParameters(
        "machine_translation",
        Program.of(message.build()),
        Feeds.none()
            .withSequencesOfIds("src_word", 200, 2, 4, 3)
            .withSequencesOfIds("trg_word", 200, 4, 2, 5)
            .withSequencesOfIds("trg_next", 200, 4, 2, 5));
  }

  /** Loops that are trained, with arrays and their gradients. */
  static ImmutableList<Model> arrayGradients() {
    ImmutableList.Builder<Model> models = ImmutableList.builder();
    for (boolean isAliased : new boolean[] {false, true}) {
      TrainingLoops loop =
          new TrainingLoops(
              /* iterations= */ 4,
              /* rows= */ 2,
              /* readsArray= */ true,
              /* writesArray= */ true,
              /* readsLast= */ !isAliased,
              isAliased,
              /* before= */ 1,
              /* after= */ 1);
      models.add(
          Model.withRandomParameters(
              isAliased ? "array_gradients_undeclared" : "array_gradients",
              loop.program(),
              Feeds.none().withImage("x", 2, 3)));
    }
    Model first = models.build().get(0);
    Program withElement = withElementBefore(first.program());
    models.add(Model.withRandomParameters("array_gradients_before", withElement, first.feeds()));
    return models.build();
  }

  /**
   * The same loop, but an element of a gradient of an array has a value before {@code while_grad}.
   */
  private static Program withElementBefore(Program program) {
    String head = "  while_grad(";
    String write = "  ins@GRAD = write_to_array(first, I: k1)\n";
    return ProgramText.parse(ProgramText.print(program).replace(head, write + head));
  }

  /** The programs of {@code docs/gallery.md} that are no examples, on small inputs. */
  static ImmutableList<Model> gallery() {
    Feeds lines = Feeds.none().withImage("image", 2, 3, 32, 40);
    TensorData size = TensorData.ofInts(ImmutableLongArray.of(1, 2), 320, 320);
    TensorData labels = TensorData.ofLongs(ImmutableLongArray.of(2, 1), 3, 7);
    return ImmutableList.of(
        gallery("detection", Feeds.none().withImage("image", 1, 3, 320, 320).with("im_size", size)),
        gallery("ocr", lines),
        gallery("training", Feeds.none().withImage("image", 2, 3, 32, 32).with("label", labels)));
  }

  private static Model gallery(String name, Feeds feeds) {
    Path file = Path.of("testdata", "gallery", name + ".textproto");
    return Model.withRandomParameters("gallery_" + name, ProgramReader.read(file), feeds);
  }

  /** An operator that fetches a variable. */
  static OpDesc fetch(String variable, int column) {
    return OpDesc.newBuilder()
        .setType("fetch")
        .addInputs(OpDesc.Var.newBuilder().setParameter("X").addArguments(variable))
        .addOutputs(OpDesc.Var.newBuilder().setParameter("Out").addArguments("fetch"))
        .addAttrs(OpDesc.Attr.newBuilder().setName("col").setType(AttrType.INT).setI(column))
        .build();
  }
}
