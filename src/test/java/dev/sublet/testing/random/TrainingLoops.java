package dev.sublet.testing.random;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Recurrent networks that are trained: a loop that reads one array, writes others, and hands its
 * state on in an array, with its gradient. Fed is {@code x}, fetched are the cost and the gradients
 * of {@code w} and {@code x}.
 *
 * @param iterations the iterations of the loop
 * @param rows the rows of the state
 * @param readsArray whether each iteration reads an element of an array of inputs
 * @param writesArray whether each iteration writes an element of an array of results
 * @param readsLast whether the last state is read after the loop; it is if nothing else is
 * @param isAliased whether the loop's body has the gradients of the results without a declaration
 * @param before the tensors that are computed one from another before the loop
 * @param after the same, after its gradient
 */
public record TrainingLoops(
    int iterations,
    int rows,
    boolean readsArray,
    boolean writesArray,
    boolean readsLast,
    boolean isAliased,
    int before,
    int after) {

  /** A random one. */
  public static TrainingLoops of(Random random) {
    return new TrainingLoops(
        1 + random.nextInt(4),
        1 + random.nextInt(3),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextInt(4),
        random.nextInt(4));
  }

  /** The program. */
  public Program program() {
    return ProgramText.parse(String.join("\n", lines()));
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    add(lines, "version 2003002", "default fp32[" + rows + ",3]", "block 0");
    add(lines, "feed x: fp32[" + rows + ",3] check_feed", "var w: fp32[3,3] persistable");
    add(lines, "var w@GRAD: fp32[3,3]", "var c: bool[1]", "var loss: fp32[1]");
    add(lines, "var loss@GRAD: fp32[1]", "var i: int64[1]", "var n: int64[1]");
    for (String array : new String[] {"states", "ins", "outs"}) {
      add(lines, "var " + array + ": array fp32[" + rows + ",3]");
      add(lines, "var " + array + "@GRAD: array fp32[" + rows + ",3]");
    }
    for (int k = 0; k <= iterations; k++) {
      add(lines, "var k" + k + ": int64[1]", number("k" + k, k));
    }
    add(lines, number("i", 0), number("n", iterations), "first = tanh(x)");
    chain(lines, "first", "b", before);
    for (int k = 0; k < iterations && readsArray; k++) {
      add(lines, "in" + k + " = scale(x) {scale: 0.5, bias: 0." + k + "}");
      add(lines, "ins = write_to_array(in" + k + ", I: k" + k + ")");
    }
    add(lines, "states = write_to_array(b" + before + ", I: i)");
    add(lines, "c = less_than(i, n) {axis: -1, force_cpu: true}");
    add(lines, "while(X: w i n states ins outs, Condition: c) -> (Out: i c states outs, ");
    append(lines, "StepScopes: scopes) {sub_block: 1, is_test: false}");
    loss(lines);
    gradient(lines);
    chain(lines, "x@GRAD", "a", after);
    add(lines, "fetch(loss)", "fetch(w@GRAD)", "fetch(a" + after + ")");
    body(lines);
    bodyOfGradient(lines);
    return lines;
  }

  private static String number(String name, int value) {
    return name
        + " = fill_constant() {shape: [1L], dtype: 3, value: "
        + value
        + ".0, force_cpu: true}";
  }

  /** Computes tensor after tensor; the last one depends on the first one. */
  private static void chain(List<String> lines, String from, String name, int count) {
    add(lines, name + "0 = scale(" + from + ") {scale: 1.5}");
    for (int k = 1; k <= count; k++) {
      add(lines, name + k + " = scale(" + name + (k - 1) + ") {scale: 0.5, bias: 0.25}");
    }
  }

  private boolean hasLast() {
    return readsLast || !writesArray;
  }

  /** The loss is the mean of the last state plus all results. */
  private void loss(List<String> lines) {
    add(lines, "sum0 = read_from_array(states, I: n)");
    if (!hasLast()) {
      String shape = "{shape: [" + rows + "L, 3L], dtype: 5, value: 0.0}";
      lines.set(lines.size() - 1, "sum0 = fill_constant() " + shape);
    }
    for (int k = 0; k < iterations; k++) {
      if (writesArray) {
        add(lines, "out" + k + " = read_from_array(outs, I: k" + k + ")");
        add(lines, "sum" + (k + 1) + " = elementwise_add(sum" + k + ", out" + k + ") {axis: -1}");
      }
    }
    String sum = "sum" + (writesArray ? iterations : 0);
    add(lines, "loss = mean(" + sum + ")");
    add(lines, "loss@GRAD = fill_constant() {shape: [1L], dtype: 5, value: 1.0}");
    add(lines, "(X@GRAD: sum@GRAD) = mean_grad(" + sum + ", Out@GRAD: loss@GRAD)");
  }

  private void gradient(List<String> lines) {
    if (hasLast()) {
      add(lines, "states@GRAD = write_to_array(sum@GRAD, I: n)");
    }
    for (int k = 0; k < iterations && writesArray; k++) {
      add(lines, "outs@GRAD = write_to_array(sum@GRAD, I: k" + k + ")");
    }
    String outputs = "states@GRAD" + (writesArray ? " outs@GRAD" : "");
    add(lines, "while_grad(X: w i n states ins outs, Out: i c states outs, Out@GRAD: " + outputs);
    append(lines, ", StepScopes: scopes) -> (X@GRAD: w@GRAD @EMPTY@ @EMPTY@ states@GRAD ");
    append(
        lines, (readsArray ? "ins@GRAD" : "@EMPTY@") + " @EMPTY@) {sub_block: 2, is_test: false, ");
    append(lines, "skip_eager_deletion_vars: strings [], ");
    append(lines, "original_output_grad: [\"" + outputs.replace(" ", "\", \"") + "\"]}");
    add(lines, "b@GRAD = read_from_array(states@GRAD, I: k0)");
    add(lines, "(X@GRAD: x@GRAD0) = tanh_grad(Out: first, Out@GRAD: b@GRAD)");
    for (int k = 0; k < iterations && readsArray; k++) {
      add(lines, "in" + k + "@GRAD = read_from_array(ins@GRAD, I: k" + k + ")");
      String next = "x@GRAD" + (k + 1);
      add(lines, next + " = elementwise_add(x@GRAD" + k + ", in" + k + "@GRAD) {axis: -1}");
    }
    add(lines, "x@GRAD = scale(x@GRAD" + (readsArray ? iterations : 0) + ") {scale: 1.0}");
  }

  private void body(List<String> lines) {
    add(lines, "block 1 parent 0", "h = read_from_array(states, I: i)");
    if (readsArray) {
      add(lines, "in = read_from_array(ins, I: i)", "a = elementwise_add(h, in) {axis: -1}");
    } else {
      add(lines, "a = scale(h) {scale: 2.0}");
    }
    add(lines, "p = mul(a, w) {x_num_col_dims: 1, y_num_col_dims: 1}", "t = tanh(p)");
    if (writesArray) {
      add(lines, "o = sigmoid(t)", "outs = write_to_array(o, I: i)");
    }
    add(lines, "i = increment(i) {step: 1.0}", "states = write_to_array(t, I: i)");
    add(lines, "c = less_than(i, n) {axis: -1, force_cpu: true}");
  }

  private void bodyOfGradient(List<String> lines) {
    add(lines, "block 2 parent 0 forward 1", "var w@GRAD: fp32[3,3]");
    add(lines, "var states@GRAD: array fp32[" + rows + ",3]");
    if (readsArray) {
      add(lines, "var ins@GRAD: array fp32[" + rows + ",3]");
    }
    if (writesArray && !isAliased) {
      add(lines, "var outs@GRAD: array fp32[" + rows + ",3]");
    }
    add(lines, "t1@GRAD = read_from_array(states@GRAD, I: i, X_W: t)");
    add(lines, "i = increment(i) {step: -1.0}");
    String gradient = "t1@GRAD";
    if (writesArray) {
      add(lines, "o@GRAD = read_from_array(outs@GRAD, I: i, X_W: o)");
      add(lines, "(X@GRAD: t2@GRAD) = sigmoid_grad(Out: o, Out@GRAD: o@GRAD)");
      add(lines, "t@GRAD = sum(t1@GRAD t2@GRAD)");
      gradient = "t@GRAD";
    }
    add(lines, "(X@GRAD: p@GRAD) = tanh_grad(Out: t, Out@GRAD: " + gradient + ")");
    add(lines, "(X@GRAD: a@GRAD, Y@GRAD: w@GRAD) = mul_grad(a, w, Out@GRAD: p@GRAD) ");
    append(lines, "{x_num_col_dims: 1, y_num_col_dims: 1}");
    if (readsArray) {
      add(lines, "(X@GRAD: h@GRAD, Y@GRAD: in@GRAD) = elementwise_add_grad(h, in, ");
      append(lines, "Out@GRAD: a@GRAD) {axis: -1}");
      add(lines, "ins@GRAD = write_to_array(in@GRAD, I: i)");
    } else {
      add(lines, "h@GRAD = scale(a@GRAD) {scale: 2.0}");
    }
    add(lines, "states@GRAD = write_to_array(h@GRAD, I: i)");
  }

  private static void add(List<String> lines, String... more) {
    lines.addAll(List.of(more));
  }

  /** Appends to the last line. */
  private static void append(List<String> lines, String rest) {
    lines.set(lines.size() - 1, lines.get(lines.size() - 1) + rest);
  }
}
