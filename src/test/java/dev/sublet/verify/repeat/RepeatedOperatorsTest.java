package dev.sublet.verify.repeat;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.Verifier;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.OperatorEdits.SplitPart;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Programs in which operators run again, and what the validator says about them. */
final class RepeatedOperatorsTest {

  private static final String HEAD =
      """
      version 2003002
      block 0
        feed x: fp32[4,8]
        var w: fp32[8,8] persistable parameter
        var v: fp32[8,8] persistable parameter
        default fp32[4,8]
      """;

  private static final String ORIGINAL =
      HEAD
          + """
            t = relu(x)
            a = relu(t)
            b = tanh(a)
            t = exp(b)
            y = elementwise_add(a, t)
            fetch(y)
          """;

  private static String verdict(String original, String rewritten) {
    return Verifier.verify(
            ProgramText.parse(original), ProgramText.parse(rewritten), TranspileOptions.defaults())
        .toString()
        .strip();
  }

  /** The original with other lines instead of some. */
  private static String verdictOfRepeat(String... replacements) {
    String rewritten = ORIGINAL;
    for (int i = 0; i < replacements.length; i += 2) {
      assertThat(rewritten).contains(replacements[i]);
      rewritten = rewritten.replace(replacements[i], replacements[i + 1]);
    }
    return verdict(ORIGINAL, rewritten);
  }

  private static final String SUM = "y = elementwise_add(a, t)";
  private static final String SUM_OF_AGAIN = "y = elementwise_add(a@again, t)";

  @Test
  void aRepeatedOperator_isProved() {
    String before = "a@again = relu(t)\n  t = exp(b)";
    assertThat(verdictOfRepeat("t = exp(b)", before, SUM, SUM_OF_AGAIN)).isEqualTo("valid");
  }

  @Test
  void aRepetitionThatReadsAnotherValue_isRejected() {
    String after = "a@again = relu(t)\n  " + SUM_OF_AGAIN;
    assertThat(verdictOfRepeat(SUM, after)).contains("does not declare");
    String ofOther = "a@again = relu(x)\n  " + SUM_OF_AGAIN;
    assertThat(verdictOfRepeat(SUM, ofOther)).contains("does not declare");
  }

  @Test
  void anotherOperator_isNoRepetition() {
    String other = "a@again = sigmoid(t)\n  t = exp(b)";
    assertThat(verdictOfRepeat("t = exp(b)", other, SUM, SUM_OF_AGAIN)).contains("does not");
    String random =
        HEAD
            + """
              a = gaussian_random() {shape: [4,8], seed: 0, dtype: 5}
              b = tanh(a)
              y = elementwise_add(a, b)
              fetch(y)
            """;
    String again =
        random.replace(
            "y = elementwise_add(a, b)",
            "a@again = gaussian_random() {shape: [4,8], seed: 0, dtype: 5}\n"
                + "  y = elementwise_add(a@again, b)");
    assertThat(verdict(random, again)).contains("does not declare");
  }

  @Test
  void aRepetitionThatIsSeen_isRejected() {
    String before = "a@again = relu(t)\n  t = exp(b)";
    assertThat(
            verdictOfRepeat(
                "t = exp(b)", before, SUM, SUM_OF_AGAIN, "fetch(y)", "fetch(y)\n  fetch(a@again)"))
        .isNotEqualTo("valid");
    String twice = before + "\n  a@again = relu(b)";
    assertThat(verdictOfRepeat("t = exp(b)", twice, SUM, SUM_OF_AGAIN)).isNotEqualTo("valid");
  }

  @Test
  void graphPasses_areNotForRepeatedOperators() {
    Program original = ProgramText.parse(ORIGINAL);
    Program repeated = OperatorEdits.repeating(original, 2, 4, "a");
    assertThat(Verifier.verifyFusion(original, repeated).toString())
        .startsWith("operators run again, or on halves of the batch (explain --apply)");
  }

  private static final String WHOLE =
      HEAD
          + """
            a = matmul_v2(X: x, Y: w)
            y = relu(a)
            fetch(y)
          """;

  private static final String HALVES =
      HEAD
          + """
            var a: fp32[4,8]
            x@half1 = slice(Input: x) {axes: [0], starts: [0], ends: [2], infer_flags: [1], decrease_axis: longs []}
            a@half1 = matmul_v2(X: x@half1, Y: w)
            y@half1 = relu(a@half1)
            x@half2 = slice(Input: x) {axes: [0], starts: [2], ends: [2147483647], infer_flags: [1], decrease_axis: longs []}
            a@half2 = matmul_v2(X: x@half2, Y: w)
            y@half2 = relu(a@half2)
            y = concat(X: y@half1 y@half2) {axis: 0}
            fetch(y)
          """;

  private static String verdictOfHalves(String from, String to) {
    assertThat(HALVES).contains(from);
    return verdict(WHOLE, HALVES.replace(from, to));
  }

  @Test
  void halvesOfTheBatch_areProved() {
    assertThat(verdict(WHOLE, HALVES)).isEqualTo("valid");
    // As saved programs have it.
    assertThat(verdictOfHalves("y@half2) {axis: 0}", "y@half2, AxisTensor:) {axis: 0}"))
        .isEqualTo("valid");
  }

  @Test
  void partsThatAreNotHalves_areRejected() {
    for (String change :
        List.of(
            "ends: [2]>ends: [1]",
            "starts: [2]>starts: [1]",
            "starts: [0]>starts: [1]",
            "ends: [2147483647]>ends: [3]",
            "axes: [0], starts: [2]>axes: [1], starts: [2]",
            "x@half2 = slice(Input: x)>x@half2 = slice(Input: w)",
            "X: y@half1 y@half2>X: y@half2 y@half1",
            "X: y@half1 y@half2>X: y@half1 y@half1",
            "{axis: 0}>{axis: 1}",
            "X: x@half2, Y: w>X: x@half2, Y: v",
            "y@half2 = relu(a@half2)>y@half2 = tanh(a@half2)",
            "y@half2 = relu(a@half2)>y@half2 = relu(a@half1)",
            "y@half2 = relu>w = scale(w) {scale: 2.0}\n  y@half2 = relu",
            "x@half2 = slice>x = tanh(x)\n  x@half2 = slice",
            "fetch(y)>fetch(y)\n  fetch(a@half1)",
            "fetch(y)>y = elementwise_add(y, a@half1)\n  fetch(y)")) {
      String[] parts = change.split(">", 2);
      assertWithMessage(change).that(verdictOfHalves(parts[0], parts[1])).isNotEqualTo("valid");
    }
  }

  private static final String WHOLE_PATHS =
      HEAD
          + """
            t = matmul_v2(X: x, Y: w)
            a = relu(t)
            y = elementwise_sub(t, a)
            fetch(y)
          """;

  private static final String HALVED_PATHS =
      HEAD
          + """
            var t: fp32[4,8]
            var a: fp32[4,8]
            x@half1 = slice(Input: x) {axes: [0], starts: [0], ends: [2], infer_flags: [1], decrease_axis: longs []}
            t@half1 = matmul_v2(X: x@half1, Y: w)
            a@half1 = relu(t@half1)
            y@half1 = elementwise_sub(t@half1, a@half1)
            x@half2 = slice(Input: x) {axes: [0], starts: [2], ends: [2147483647], infer_flags: [1], decrease_axis: longs []}
            t@half2 = matmul_v2(X: x@half2, Y: w)
            a@half2 = relu(t@half2)
            y@half2 = elementwise_sub(t@half2, a@half2)
            y = concat(X: y@half1 y@half2) {axis: 0}
            fetch(y)
          """;

  @Test
  void pathsBesideEachOther_areProvedOnHalves() {
    assertThat(verdict(WHOLE_PATHS, HALVED_PATHS)).isEqualTo("valid");
  }

  /** Each change computes something else from tensors that have the right numbers of rows. */
  @Test
  void pathsThatAreMixedUp_areRejected() {
    for (String change :
        List.of(
            "sub(t@half2, a@half2)>sub(t@half1, a@half2)",
            "sub(t@half2, a@half2)>sub(t@half2, a@half1)",
            "sub(t@half2, a@half2)>sub(a@half2, t@half2)",
            "sub(t@half2, a@half2)>sub(t@half2, t@half2)",
            "sub(t@half2, a@half2)>sub(x@half2, a@half2)",
            "a@half2 = relu(t@half2)>a@half2 = relu(t@half1)",
            "a@half2 = relu(t@half2)>a@half2 = relu(x@half2)",
            "a@half2 = relu(t@half2)>t@half2 = tanh(t@half2)\n  a@half2 = relu(t@half2)",
            "y@half1 = >t@half1 = tanh(t@half1)\n  y@half1 = ",
            "y@half2 = >x@half2 = tanh(x@half2)\n  y@half2 = ",
            "fetch(y)>y = elementwise_add(y, t@half1)\n  fetch(y)",
            "fetch(y)>fetch(y)\n  fetch(t@half2)")) {
      String[] parts = change.split(">", 2);
      assertThat(HALVED_PATHS).contains(parts[0]);
      assertWithMessage(change)
          .that(verdict(WHOLE_PATHS, HALVED_PATHS.replace(parts[0], parts[1])))
          .isNotEqualTo("valid");
    }
  }

  /** The rows of two tensors, cut at the same place, are not those of one. */
  @Test
  void slicesOfTwoTensors_areRejected() {
    String whole = HEAD + "  s = tanh(x)\n  y = elementwise_sub(x, s)\n  fetch(y)\n";
    StringBuilder halves = new StringBuilder(HEAD).append("  s = tanh(x)\n");
    for (int half = 1; half <= 2; half++) {
      for (String tensor : List.of("x", "s")) {
        halves
            .append("  %s@half%d = slice(Input: %s) ".formatted(tensor, half, tensor))
            .append("{axes: [0], starts: [%d], ".formatted(2 * half - 2))
            .append("ends: [%d], ".formatted(half == 1 ? 2 : Integer.MAX_VALUE))
            .append("infer_flags: [1], decrease_axis: longs []}\n");
      }
      halves.append(
          "  y@half%d = elementwise_sub(x@half%d, s@half%d)\n".formatted(half, half, half));
    }
    halves.append("  y = concat(X: y@half1 y@half2) {axis: 0}\n  fetch(y)\n");
    assertThat(verdict(whole, halves.toString())).isNotEqualTo("valid");
  }

  @Test
  void operatorsAcrossRows_areRejected() {
    String whole = WHOLE.replace("relu(a)", "softmax(a) {axis: 0}");
    String halves =
        HALVES
            .replace("relu(a@half1)", "softmax(a@half1) {axis: 0}")
            .replace("relu(a@half2)", "softmax(a@half2) {axis: 0}");
    assertThat(verdict(whole, halves)).contains("does not declare");
    assertThat(
            verdict(
                whole.replace("axis: 0", "axis: 1"),
                halves
                    .replace("{axis: 0}\n  x", "{axis: 1}\n  x")
                    .replace("{axis: 0}\n  y = c", "{axis: 1}\n  y = c")))
        .isEqualTo("valid");
  }

  private static Optional<ImmutableList<Tensor>> results(
      Program program, ImmutableMap<String, LodTensor> feeds) {
    try {
      return Optional.of(
          Executor.run(
                  program, feeds, RandomTensors.parameters(program), ExecutionOptions.defaults())
              .outputs()
              .stream()
              .map(output -> output.tensor().tensor())
              .collect(ImmutableList.toImmutableList()));
    } catch (ProgramException e) {
      return Optional.empty();
    }
  }

  private static LodTensor feed(String name, long... shape) {
    return LodTensor.of(
        RandomTensors.feed(name, 0, DataType.FP32, ImmutableLongArray.copyOf(shape)));
  }

  /** How often the validator accepted a change, and how often it rejected one. */
  private static final class Verdicts {
    private final ImmutableMap<String, LodTensor> feeds;
    private int accepted;
    private int rejected;

    Verdicts(ImmutableMap<String, LodTensor> feeds) {
      this.feeds = feeds;
    }

    /** What is accepted must give the same results. */
    void add(String what, Program original, Program changed) {
      if (Verifier.verify(original, changed, TranspileOptions.defaults()).isValid()) {
        assertWithMessage(what).that(results(changed, feeds)).isEqualTo(results(original, feeds));
        accepted++;
      } else {
        rejected++;
      }
    }
  }

  /** Any operator, repeated anywhere: nothing is checked before. */
  @Test
  void whatIsAccepted_changesNoResult() {
    Verdicts verdicts = new Verdicts(ImmutableMap.of("x", feed("x", 4, 4), "y", feed("y", 16)));
    Random random = new Random(5);
    for (int round = 0; round < 60; round++) {
      Program program = ExecutablePrograms.generate(round, 10 + round % 30);
      List<Operation> operators = program.block(0).operations();
      for (int i = 0; i < 6; i++) {
        Operation writer = operators.get(random.nextInt(operators.size()));
        int reader = writer.index() + 1 + random.nextInt(operators.size() - writer.index());
        if (writer.outputCount() == 1 && writer.output(0) != Program.NO_VARIABLE) {
          Variable output = program.variable(writer.output(0));
          if (output.block() == 0 && !writer.type().equals("fetch")) {
            Program changed =
                OperatorEdits.repeating(program, writer.index(), reader, output.name());
            verdicts.add("round " + round + ", " + writer + " at " + reader, program, changed);
          }
        }
      }
    }
    assertThat(verdicts.accepted).isAtLeast(20);
    assertThat(verdicts.rejected).isAtLeast(20);
  }

  private static final List<String> LINES =
      List.of(
          "%s = relu(%s)",
          "%s = tanh(%s)",
          "%s = scale(%s) {scale: 2.0}",
          "%s = matmul_v2(X: %s, Y: w)",
          "%s = softmax(%s) {axis: 1}",
          "%s = softmax(%s) {axis: 0}",
          "%s = cumsum(%s) {axis: 0}",
          "%s = elementwise_add(%s, x)",
          "%s = elementwise_mul(X: %s, Y: w0) {axis: 1}",
          "w = scale(w) {scale: 0.5}\n  %s = matmul_v2(X: %s, Y: w)");

  /** Operators that each read one of the last two results; some names are written again. */
  private static Program chain(Random random) {
    StringBuilder text =
        new StringBuilder(HEAD).append("  var w0: fp32[8] persistable parameter\n");
    String last = "x";
    String before = "x";
    for (int i = 0; i < 6; i++) {
      String input = random.nextInt(4) == 0 ? before : last;
      String output = "t" + (random.nextInt(6) == 0 ? Math.max(0, i - 2) : i);
      String line = LINES.get(random.nextInt(LINES.size()));
      text.append("  ").append(String.format(Locale.ROOT, line, output, input)).append('\n');
      before = last;
      last = output;
    }
    return ProgramText.parse(text + "  fetch(" + last + ")\n  fetch(" + before + ")\n");
  }

  private static final List<String> LINES_OF_PATHS =
      List.of(
          "%s = relu(%s)",
          "%s = matmul_v2(X: %s, Y: w)",
          "%s = softmax(%s) {axis: 0}",
          "%s = elementwise_sub(%s, %s)",
          "%s = elementwise_mul(%s, %s)",
          "%s = elementwise_add(%s, x)");

  /** Operators that read any earlier results; some names are written again. */
  private static Program paths(Random random) {
    StringBuilder text = new StringBuilder(HEAD);
    List<String> written = new ArrayList<>(List.of("x"));
    for (int i = 0; i < 6; i++) {
      String one = written.get(Math.max(0, written.size() - 1 - random.nextInt(2)));
      String other = written.get(random.nextInt(written.size()));
      String output = random.nextInt(12) == 0 ? written.get(written.size() - 1) : "t" + i;
      String line = LINES_OF_PATHS.get(random.nextInt(LINES_OF_PATHS.size()));
      text.append("  ").append(String.format(Locale.ROOT, line, output, one, other)).append('\n');
      written.add(output);
    }
    return ProgramText.parse(text + "  y = relu(" + written.get(5) + ")\n  fetch(y)\n");
  }

  /** Any operators after each other, on halves of any tensor that the first one reads. */
  @Test
  void halvedPathsThatAreAccepted_changeNoResult() {
    Verdicts verdicts = new Verdicts(ImmutableMap.of("x", feed("x", 4, 8)));
    Random random = new Random(11);
    int rounds = LongForm.tries(/* usual= */ 50, /* all= */ 150);
    for (int round = 0; round < rounds; round++) {
      Program program = paths(random);
      for (int first = 1; first < 6; first++) {
        ImmutableList.Builder<Integer> positions = ImmutableList.builder();
        ImmutableList.Builder<String> tensors = ImmutableList.builder();
        Operation begin = program.block(0).operations().get(first);
        tensors.add(program.variable(begin.input(0)).name());
        for (int last = first; last < 7; last++) {
          positions.add(last);
          tensors.add(program.variable(program.block(0).operations().get(last).output(0)).name());
          SplitPart part = new SplitPart(positions.build(), tensors.build(), 4);
          boolean isOnce = part.tensors().stream().distinct().count() == part.tensors().size();
          if (last > first && isOnce) {
            verdicts.add(
                "round " + round + ", " + first + " to " + last,
                program,
                OperatorEdits.splitting(program, part));
          }
        }
      }
    }
    assertThat(verdicts.accepted).isAtLeast(rounds / 3);
    assertThat(verdicts.rejected).isAtLeast(rounds / 3);
  }

  /** Any two operators of which one reads the result of the other, on halves. */
  @Test
  void halvesThatAreAccepted_changeNoResult() {
    Verdicts verdicts = new Verdicts(ImmutableMap.of("x", feed("x", 4, 8)));
    Random random = new Random(7);
    int rounds = LongForm.tries(/* usual= */ 50, /* all= */ 150);
    for (int round = 0; round < rounds; round++) {
      Program program = chain(random);
      List<Operation> operators = program.block(0).operations();
      for (Operation first : operators.subList(1, operators.size() - 2)) {
        for (Operation second : operators.subList(first.index() + 1, operators.size() - 2)) {
          if (second.input(0) == first.output(0)) {
            ImmutableList<String> tensors =
                ImmutableList.of(
                    program.variable(first.input(0)).name(),
                    program.variable(first.output(0)).name(),
                    program.variable(second.output(0)).name());
            ImmutableList<Integer> positions = ImmutableList.of(first.index(), second.index());
            verdicts.add(
                "round " + round + ", " + first + ", " + second,
                program,
                OperatorEdits.splitting(program, new SplitPart(positions, tensors, 4)));
          }
        }
      }
    }
    assertThat(verdicts.accepted).isAtLeast(rounds / 3);
    assertThat(verdicts.rejected).isAtLeast(rounds / 3);
  }
}
