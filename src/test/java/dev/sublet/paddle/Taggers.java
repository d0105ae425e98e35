package dev.sublet.paddle;

import com.google.common.collect.ImmutableList;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;

/**
 * Models over sequences as Paddle 1.x saves them for inference: recurrent layers with side outputs
 * that nothing reads, and a conditional random field at the end.
 */
final class Taggers {

  private static final String PROJECTION = " {x_num_col_dims: 1, y_num_col_dims: 1}";

  private final List<String> declarations = new ArrayList<>();
  private final List<String> operators = new ArrayList<>();
  private int names;

  private Taggers() {}

  /** All of them. */
  static ImmutableList<Model> all() {
    return ImmutableList.of(
        lexicalAnalysis(), semanticRoles(), sentiment(), similarity(), textOfImage());
  }

  /** Two bidirectional GRU layers over one sequence per sentence, as in Baidu's LAC. */
  static Model lexicalAnalysis() {
    Taggers net = new Taggers();
    String x = net.embed("words", 60, 32);
    int width = 32;
    for (int layer = 0; layer < 2; layer++) {
      String forward = net.gru(net.project(x, width, 96), 32, false);
      String backward = net.gru(net.project(x, width, 96), 32, true);
      x = net.sequence(64);
      net.operators.add(x + " = concat(" + forward + " " + backward + ") {axis: 1}");
      width = 64;
    }
    return net.tagged("lexical_analysis", net.project(x, width, 9), 9);
  }

  /** A stack of LSTM layers in alternating directions, fed by sums of projections. */
  static Model semanticRoles() {
    Taggers net = new Taggers();
    String mixed = net.project(net.embed("words", 60, 16), 16, 64);
    String hidden = net.lstm(mixed, 16, false);
    for (int layer = 1; layer < 4; layer++) {
      String below = mixed;
      mixed = net.sum(net.project(below, 64, 64), net.project(hidden, 16, 64), 64);
      hidden = net.lstm(mixed, 16, layer % 2 == 1);
    }
    return net.tagged(
        "semantic_roles", net.sum(net.project(mixed, 64, 9), net.project(hidden, 16, 9), 9), 9);
  }

  /** Convolutions over two widths of context, pooled to one value per sentence. */
  static Model sentiment() {
    Taggers net = new Taggers();
    String x = net.embed("words", 60, 32);
    List<String> pooled = new ArrayList<>();
    for (int context : new int[] {3, 4}) {
      String convolved = net.sequence(32);
      net.operators.add(
          String.format(
              "%s = sequence_conv(X: %s, Filter: %s) {contextLength: %d, contextStart: %d,"
                  + " contextStride: 1}",
              convolved, x, net.parameter(context * 32 + ",32"), context, -(context / 2)));
      String squashed = net.sequence(32);
      net.operators.add(squashed + " = tanh(" + convolved + ")");
      String most = net.tensor("fp32", 32);
      net.operators.add(
          String.format(
              "(Out: %s, MaxIndex: %s) = sequence_pool(X: %s) {pooltype: \"MAX\", is_test: true}",
              most, net.tensor("int32", 32), squashed));
      pooled.add(most);
    }
    String first = net.tensor("fp32", 2);
    String second = net.tensor("fp32", 2);
    net.operators.add(first + " = mul(" + pooled.get(0) + ", " + net.parameter("32,2") + ")");
    net.operators.add(second + " = mul(" + pooled.get(1) + ", " + net.parameter("32,2") + ")");
    String sum = net.tensor("fp32", 2);
    net.operators.add(sum + " = sum(" + first + " " + second + ")");
    String result = net.tensor("fp32", 2);
    net.operators.add(result + " = softmax(" + sum + ") {axis: -1}");
    return net.model("sentiment", result);
  }

  /** Two texts of different lengths, each pooled to one vector, and compared. */
  static Model similarity() {
    Taggers net = new Taggers();
    String query = net.tower("query");
    String title = net.tower("title");
    String result = net.tensor("fp32", 1);
    net.operators.add(
        String.format(
            "(Out: %s, XNorm: %s, YNorm: %s) = cos_sim(X: %s, Y: %s)",
            result, net.tensor("fp32", 1), net.tensor("fp32", 1), query, title));
    Feeds feeds =
        Feeds.none().withSequencesOfIds("query", 60, 7, 3).withSequencesOfIds("title", 60, 9, 21);
    return net.model("similarity", result, feeds);
  }

  /** A convolution whose columns become steps of a recurrent layer, and labels without blanks. */
  static Model textOfImage() {
    Taggers net = new Taggers();
    net.declarations.add("feed image: fp32[-1,1,16,64]");
    String filtered = net.tensor("fp32", "8,16,64");
    net.operators.add(
        String.format(
            "(Output: %s) = conv2d(Input: image, Filter: %s) {strides: [1,1], paddings: [1,1],"
                + " dilations: [1,1], groups: 1, padding_algorithm: \"EXPLICIT\"}",
            filtered, net.parameter("8,1,3,3")));
    String positive = net.tensor("fp32", "8,16,64");
    net.operators.add(positive + " = relu(" + filtered + ")");
    String columns = net.sequence(128);
    net.operators.add(
        columns
            + " = im2sequence("
            + positive
            + ") {kernels: [16,1], strides: [1,1],"
            + " paddings: [0,0,0,0], out_stride: [1,1]}");
    String forward = net.project(net.gru(net.project(columns, 128, 96), 32, false), 32, 9);
    String backward = net.project(net.gru(net.project(columns, 128, 96), 32, true), 32, 9);
    String chances = net.sequence(9);
    net.operators.add(chances + " = softmax(" + net.sum(forward, backward, 9) + ") {axis: -1}");
    String best = net.tensor("fp32", 1);
    String labels = net.labels();
    net.operators.add(
        String.format("(Out: %s, Indices: %s) = top_k(%s) {k: 1}", best, labels, chances));
    String text = net.labels();
    net.operators.add(
        String.format(
            "(Output: %s) = ctc_align(Input: %s) {blank: 8, merge_repeated: true}", text, labels));
    return net.model("text_of_image", text, Feeds.none().withImage("image", 2, 1, 16, 64));
  }

  private String tower(String feed) {
    String convolved = sequence(32);
    operators.add(
        String.format(
            "%s = sequence_conv(X: %s, Filter: %s) {contextLength: 3, contextStart: -1,"
                + " contextStride: 1}",
            convolved, embed(feed, 60, 32), parameter("96,32")));
    String biased = sequence(32);
    operators.add(
        biased + " = elementwise_add(" + convolved + ", " + parameter("32") + ") {axis: 1}");
    String positive = sequence(32);
    operators.add(positive + " = relu(" + biased + ")");
    String most = tensor("fp32", 32);
    operators.add(
        String.format(
            "(Out: %s, MaxIndex: %s) = sequence_pool(X: %s) {pooltype: \"MAX\", is_test: true}",
            most, tensor("int32", 32), positive));
    String product = tensor("fp32", 16);
    operators.add(product + " = mul(" + most + ", " + parameter("32,16") + ")");
    String vector = tensor("fp32", 16);
    operators.add(vector + " = tanh(" + product + ")");
    return vector;
  }

  private Model tagged(String name, String emission, int tags) {
    String path = labels();
    operators.add(
        String.format(
            "(ViterbiPath: %s) = crf_decoding(Emission: %s, Transition: %s)",
            path, emission, parameter((tags + 2) + "," + tags)));
    return model(name, path);
  }

  private String labels() {
    String name = name();
    declarations.add("var " + name + ": int64[-1,1] lod(1)");
    return name;
  }

  private Model model(String name, String result) {
    return model(name, result, Feeds.none().withSequencesOfIds("words", 60, 7, 3, 11));
  }

  private Model model(String name, String result, Feeds feeds) {
    List<String> lines = new ArrayList<>();
    lines.add("version 1008005");
    lines.add("block 0");
    lines.addAll(declarations);
    lines.addAll(operators);
    lines.add("fetch(" + result + ")");
    return Model.withRandomParameters(name, ProgramText.parse(lines.toArray(String[]::new)), feeds);
  }

  private String embed(String feed, int words, int width) {
    declarations.add("feed " + feed + ": int64[-1,1] lod(1) check_feed");
    String embedded = sequence(width);
    operators.add(
        String.format(
            "%s = lookup_table(W: %s, Ids: %s) {padding_idx: -1L}",
            embedded, parameter(words + "," + width), feed));
    return embedded;
  }

  /** A fully connected layer with a bias. */
  private String project(String x, int from, int to) {
    String product = sequence(to);
    operators.add(product + " = mul(" + x + ", " + parameter(from + "," + to) + ")" + PROJECTION);
    String biased = sequence(to);
    operators.add(
        biased + " = elementwise_add(" + product + ", " + parameter("" + to) + ") {axis: 1}");
    return biased;
  }

  private String sum(String a, String b, int width) {
    String sum = sequence(width);
    operators.add(sum + " = sum(" + a + " " + b + ")");
    return sum;
  }

  private String gru(String gates, int width, boolean isReverse) {
    String hidden = sequence(width);
    operators.add(
        String.format(
            "(Hidden: %s, BatchGate: %s, BatchResetHiddenPrev: %s, BatchHidden: %s) = gru(Input:"
                + " %s, Weight: %s, Bias: %s) {is_reverse: %b, origin_mode: true,"
                + " gate_activation: \"sigmoid\", activation: \"tanh\"}",
            hidden,
            tensor("fp32", 3 * width),
            tensor("fp32", width),
            tensor("fp32", width),
            gates,
            parameter(width + "," + 3 * width),
            parameter("1," + 3 * width),
            isReverse));
    return hidden;
  }

  private String lstm(String gates, int width, boolean isReverse) {
    String hidden = sequence(width);
    operators.add(
        String.format(
            "(Hidden: %s, Cell: %s, BatchGate: %s, BatchCellPreAct: %s) = lstm(Input: %s, Weight:"
                + " %s, Bias: %s) {use_peepholes: true, is_reverse: %b, gate_activation:"
                + " \"sigmoid\", cell_activation: \"sigmoid\", candidate_activation: \"relu\"}",
            hidden,
            sequence(width),
            tensor("fp32", 4 * width),
            tensor("fp32", width),
            gates,
            parameter(width + "," + 4 * width),
            parameter("1," + 7 * width),
            isReverse));
    return hidden;
  }

  /** A tensor that is declared with sequences. */
  private String sequence(int width) {
    String name = name();
    declarations.add("var " + name + ": fp32[-1," + width + "] lod(1)");
    return name;
  }

  private String tensor(String type, int width) {
    return tensor(type, "" + width);
  }

  private String tensor(String type, String extents) {
    String name = name();
    declarations.add("var " + name + ": " + type + "[-1," + extents + "]");
    return name;
  }

  private String parameter(String extents) {
    String name = "w" + names++;
    declarations.add("var " + name + ": fp32[" + extents + "] persistable");
    return name;
  }

  private String name() {
    return "v" + names++;
  }
}
