package dev.sublet.program;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The line of code that made an operator, in the forms that frameworks save. */
final class SourceLineTest {

  private static Optional<SourceLine> line(String node, List<String> stack) {
    OperationBuilder operation = OperationBuilder.of("relu");
    if (!node.isEmpty()) {
      operation.attribute(SourceLine.NODE, node);
    }
    if (!stack.isEmpty()) {
      operation.textsAttribute(SourceLine.STACK, stack);
    }
    ProgramBuilder builder = ProgramBuilder.empty();
    builder.addBlock(-1);
    builder.add(0, operation);
    return SourceLine.of(builder.build().block(0).operations().get(0));
  }

  private static String words(String node, String... stack) {
    return line(node, ImmutableList.copyOf(stack)).map(SourceLine::words).orElse("-");
  }

  @Test
  void paddle_theInnermostFrameOutsideOfTheFramework() {
    Optional<SourceLine> line =
        line(
            "",
            List.of(
                "  File \"train.py\", line 3, in main",
                "    net(x)",
                "  File \"/home/me/net.py\", line 17, in forward",
                "    y = F.relu(x)",
                "  File \"/usr/lib/python3/site-packages/paddle/nn.py\", line 9, in relu",
                "    op()",
                "  File \"C:\\env\\Lib\\site-packages\\decorator.py\", line 232, in fun",
                "  File \"<decorator-gen-64>\", line 2, in append_op",
                "  File \"/usr/lib/python3.8/contextlib.py\", line 75, in inner"));
    assertThat(line).hasValue(new SourceLine("", "/home/me/net.py", 17, "y = F.relu(x)"));
    assertThat(line.orElseThrow().position()).isEqualTo("net.py:17");
    assertThat(words("")).isEqualTo("-");
  }

  @Test
  void aLibraryThatIsNotTheFramework_counts() {
    assertThat(
            words(
                "",
                "  File \"/opt/env/bin/paddlex\", line 8, in <module>",
                "    sys.exit(main())",
                "  File \"/opt/env/lib/python3.7/site-packages/paddlex/cv/resnet.py\", line 169, in f",
                "    name=name)",
                "  File \"/opt/env/lib/python3.7/site-packages/paddle/fluid/layers/nn.py\", line 1, in c"))
        .isEqualTo("resnet.py:169: name=name)");
  }

  /** Paddle runs translated copies of functions from files that are gone afterwards. */
  @Test
  void aGeneratedCopy_countsOnlyWithoutAnotherFrame() {
    String generated = "  File \"/var/T/tmpco4rpr5e.py\", line 91, in forward";
    assertThat(words("", "  File \"net.py\", line 5, in forward", "    a", generated, "    b"))
        .isEqualTo("net.py:5: a");
    assertThat(words("", generated, "    b")).isEqualTo("tmpco4rpr5e.py:91: b");
  }

  /** Paddle before 1.6: a string of two lines for each frame, the innermost one first. */
  @Test
  void oldPaddle_theInnermostFrameIsTheFirst() {
    assertThat(
            words(
                "",
                "  File \"C:\\lib\\site-packages\\paddle\\fluid\\framework.py\", line 1, in op\n    a\n",
                "  File \"C:\\me\\net.py\", line 103, in conv_bn\n    bias_attr=False)\n",
                "  File \"train.py\", line 16, in <module>\n    model = net(x)\n"))
        .isEqualTo("net.py:103: bias_attr=False)");
  }

  /** PyTorch's tracer: file, line and function, the innermost frame first. */
  @Test
  void pyTorchsTracer() {
    assertThat(
            words(
                "/conv1/Conv",
                "/usr/lib/python3.9/site-packages/torch/nn/modules/conv.py(456): _conv_forward",
                "/usr/lib/python3.9/site-packages/torch/nn/modules/module.py(1501): _slow_forward",
                "/home/me/model.py(12): forward",
                "/home/me/export.py(3): <module>"))
        .isEqualTo("model.py:12");
  }

  /** TorchScript shows the lines around the place. */
  @Test
  void torchScript_theLineAboveTheMark() {
    assertThat(
            words(
                "Add_3",
                "  File \"/home/me/model.py\", line 12",
                "    def forward(self, x):",
                "        y = x + 1",
                "            ~~~~~ <--- HERE",
                "        return y"))
        .isEqualTo("model.py:12: y = x + 1");
  }

  @Test
  void aNodeWithoutAStack_isNamed_withItsNote() {
    assertThat(words("Conv_2")).isEqualTo("node 'Conv_2'");
    assertThat(words("Conv_2", "", "the stem", "of the net")).isEqualTo("node 'Conv_2': the stem");
    assertThat(words("", "the stem")).isEqualTo("the stem");
    assertThat(words("Conv_2", "/env/lib/python3/site-packages/torch/nn/conv.py(4): f"))
        .isEqualTo("node 'Conv_2'");
  }
}
