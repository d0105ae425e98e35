package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Program;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.text.ProgramText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which operators are joined in C, and that the bits stay. */
final class JoinedStepsTest {

  private final CCompiler compiler = CCompiler.find();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void needsCompiler() {
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
  }

  /** Returns the steps of a program's C, after its results were compared. */
  private ImmutableList<String> steps(String... lines) throws Exception {
    Program program = ProgramText.parse(lines);
    CompiledRun run = CompiledRun.of(program, ShapeOptions.defaults());
    run.check(compiler, folder, List.of(), "-DMODEL_CHECK");
    byte[] source = requireNonNull(run.model().files().get("test.c"));
    Matcher comments =
        Pattern.compile("/\\* op \\d+: (.*?)(, block \\d+)? \\*/")
            .matcher(new String(source, StandardCharsets.UTF_8));
    ImmutableList.Builder<String> steps = ImmutableList.builder();
    while (comments.find()) {
      steps.add(comments.group(1));
    }
    return steps.build();
  }

  @Test
  void elementwiseOperators_joinTheProductBeforeThem() throws Exception {
    assertThat(
            steps(
                "default fp32[3,6]",
                "block 0",
                "feed x: fp32[3,5]",
                "var w: fp32[5,6] persistable parameter",
                "var b: fp32[6] persistable parameter",
                "p = matmul_v2(X: x, Y: w) {trans_x: false, trans_y: false}",
                "s = elementwise_add(X: p, Y: b) {axis: -1}",
                "y = relu(s)",
                "fetch(y)"))
        .containsExactly("matmul_v2 + elementwise_add + relu -> y");
  }

  @Test
  void aChainWithoutProducts_isJoined() throws Exception {
    assertThat(
            steps(
                "default fp32[3,6]",
                "block 0",
                "feed x: fp32[3,6]",
                "a = tanh(x)",
                "b = sigmoid(a)",
                "fetch(b)"))
        .containsExactly("tanh + sigmoid -> b");
  }

  @Test
  void aValueWithTwoReaders_stays() throws Exception {
    assertThat(
            steps(
                "default fp32[3,6]",
                "block 0",
                "feed x: fp32[3,6]",
                "a = tanh(x)",
                "b = sigmoid(a)",
                "c = elementwise_add(X: a, Y: b) {axis: -1}",
                "fetch(c)"))
        .containsExactly("tanh -> a", "sigmoid -> b", "elementwise_add -> c");
  }

  @Test
  void aResult_stays() throws Exception {
    assertThat(
            steps(
                "default fp32[3,6]",
                "block 0",
                "feed x: fp32[3,6]",
                "a = tanh(x)",
                "b = sigmoid(a)",
                "fetch(a)",
                "fetch(b)"))
        .containsExactly("tanh -> a", "sigmoid -> b");
  }

  @Test
  void anOperatorWithAnotherOperand_staysApart() throws Exception {
    assertThat(
            steps(
                "default fp32[3,6]",
                "block 0",
                "feed x: fp32[3,6]",
                "feed z: fp32[3,6]",
                "a = tanh(x)",
                "b = elementwise_add(X: a, Y: z) {axis: -1}",
                "fetch(b)"))
        .containsExactly("tanh -> a", "elementwise_add -> b");
  }

  /** The output of a reshape has the memory of its input. */
  @Test
  void aView_joinsNothing() throws Exception {
    assertThat(
            steps(
                "default fp32[3,6]",
                "block 0",
                "feed x: fp32[3,6]",
                "var r: fp32[18]",
                "var y: fp32[18]",
                "t = tanh(x)",
                "(Out: r, XShape: s) = reshape2(t) {shape: [18]}",
                "y = relu(r)",
                "fetch(y)"))
        .containsExactly("tanh -> t", "reshape2 -> r, s", "relu -> y")
        .inOrder();
  }

  /** Paddle's reshape may share the buffer of its input, the C code only where the plan says so. */
  @Test
  void anOldReshape_isAView() throws Exception {
    assertThat(
            steps(
                "block 0",
                "feed x: fp32[1,6]",
                "var r: fp32[6]",
                "var y: fp32[6]",
                "r = reshape(X: x) {shape: [6]}",
                "y = tanh(r)",
                "fetch(y)"))
        .containsExactly("reshape -> r", "tanh -> y")
        .inOrder();
  }

  @Test
  void anOtherShape_staysApart() throws Exception {
    assertThat(
            steps(
                "block 0",
                "feed x: fp32[1,6]",
                "var b: fp32[3,6] persistable parameter",
                "var a: fp32[1,6]",
                "var s: fp32[3,6]",
                "a = tanh(x)",
                "s = elementwise_add(X: a, Y: b) {axis: -1}",
                "fetch(s)"))
        .containsExactly("tanh -> a", "elementwise_add -> s");
  }

  @Test
  void operatorsOfABranch_areJoinedInside() throws Exception {
    assertThat(
            steps(
                "default fp32[3,6]",
                "block 0",
                "feed x: fp32[3,6]",
                "feed c: bool[1]",
                "y = tanh(x)",
                "conditional_block(Cond: c, Input: y) -> (Out: y, Scope: s)"
                    + " {sub_block: 1, is_scalar_condition: true}",
                "fetch(y)",
                "block 1 parent 0",
                "a = relu(y)",
                "y = sigmoid(a)"))
        .contains("relu + sigmoid -> y#2");
  }
}
