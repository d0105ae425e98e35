package dev.sublet.runtime.micro.op;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.runtime.tensor.ElementType.FLOAT32;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.micro.text.MicroSyntaxException;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Graphs print as what is read as themselves, and what they become is a program. */
final class MicroGraphTextTest {

  @Property(tries = 1000)
  void parse_ofPrinted_isTheSame(@ForAll long seed) {
    MicroGraph graph = RandomMicroGraphs.generate(seed, 25);
    String text = MicroGraphText.print(graph);
    MicroGraph read = MicroGraphText.parse(text);
    assertWithMessage(text).that(read).isEqualTo(graph);
    assertThat(MicroGraphText.print(read)).isEqualTo(text);
    assertThat(read.outputs().keySet().asList()).isEqualTo(graph.outputs().keySet().asList());
    assertThat(MicroGraphText.isGraph(text)).isTrue();
  }

  @Property(tries = 1000)
  void emitted_passesTheCheck_andPrintsAndParsesBack(@ForAll long seed) {
    MicroProgram program = RandomMicroGraphs.generate(seed, 25).emit();
    MicroProgramCheck.check(program);
    String text = MicroProgramText.print(program);
    assertWithMessage(text).that(MicroProgramText.parse(text)).isEqualTo(program);
  }

  @Property(tries = 1000)
  void damagedText_isReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text =
        new StringBuilder(MicroGraphText.print(RandomMicroGraphs.generate(seed, 15)));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, "([$\"-#\0.=<!9 \n".charAt(random.nextInt(14)));
        default -> text.setCharAt(at, text.charAt(random.nextInt(text.length())));
      }
    }
    try {
      MicroGraph graph = MicroGraphText.parse(text.toString());
      assertThat(MicroGraphText.parse(MicroGraphText.print(graph))).isEqualTo(graph);
    } catch (MicroSyntaxException e) {
      assertThat(e.position()).isAtMost(text.length());
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  @Test
  void theText_isWhatTheBuilderMakes() {
    MicroGraphBuilder g = new MicroGraphBuilder("matmul");
    MicroValue a = g.input("a", FLOAT32, 2);
    MicroValue b = g.input("b", FLOAT32, 2);
    MicroValue rows = g.named("x", g.reindex(a, List.of(a, b), "dA0, dB1, dA1[=dB0]", "i0, i2"));
    MicroValue columns = g.named("y", g.reindex(b, List.of(a, b), "dA0, dB1, dB0", "i2, i1"));
    MicroValue product = g.binary(BinaryOperator.MULTIPLY, rows, columns);
    MicroValue sum = g.named("s", g.reduce(Reduction.SUM, product, 2));
    g.output("c", g.named("c", g.reindex(sum, List.of(a, b), "dA0, dB1", "i0, i1, 0")));

    assertThat(
            MicroGraphText.parse(
                """
                micro matmul
                input a: float32[?, ?]
                input b: float32[?, ?]
                x = reindex a with a, b shape dA0, dB1, dA1[=dB0] at i0, i2
                y = reindex b with a, b shape dA0, dB1, dB0 at i2, i1
                s = sum x * y over 2
                c = reindex s with a, b shape dA0, dB1 at i0, i1, 0
                output c
                """))
        .isEqualTo(g.build());
  }

  private static MicroGraph parse(String... lines) {
    return MicroGraphText.parse(
        "micro m\ninput x: float32[?, 4]\n" + String.join("\n", lines) + "\n");
  }

  private static void assertLine(String line, String... printed) {
    List<String> lines = MicroGraphText.print(parse(line)).lines().toList();
    assertThat(lines.subList(2, lines.size())).containsExactlyElementsIn(printed).inOrder();
  }

  @Test
  void expressions_makeOneValueEach() {
    assertLine("y = x + 1.5", "t1 = 1.5", "y = x + t1");
    assertLine("y = exp(-x)", "t1 = -x", "y = exp(t1)");
    assertLine(
        "y = choose(x < 0.0, x * 0.5, x)",
        "t1 = 0.0",
        "t2 = x < t1",
        "t3 = 0.5",
        "t4 = x * t3",
        "y = choose(t2, t4, x)");
    assertLine("y = -2", "y = -2");
    assertLine("y = cast(int32, x)", "y = cast(int32, x)");
    assertLine("y = maximum(x, x)", "y = maximum(x, x)");
    assertLine("y = maximum x over 1, 0", "y = maximum x over 0, 1");
    assertLine("y = sum (x * x) over 1", "t1 = x * x", "y = sum t1 over 1");
    assertLine("y = sum exp(x) over 1", "t1 = exp(x)", "y = sum t1 over 1");
    assertLine("sum = x * x", "sum = x * x");
    assertLine("t2 = x * x", "t2 = x * x");
  }

  @Test
  void ops_withAndWithoutOperands() {
    assertLine("y = reindex x shape dA1, dA at i1, i0", "y = reindex x shape 4, d(x, 0) at i1, i0");
    assertLine("y = reindex x shape at 0, 1", "y = reindex x shape at 0, 1");
    assertLine(
        "y = reindex x with x, x shape d(x, 0), dB1 at i0 - 1, i1 outside -inf",
        "y = reindex x shape d(x, 0), 4 at i0 - 1, i1 outside -inf");
    assertLine(
        "y = position shape 3, $k at i0".replace("$k", "2"), "y = position shape 3, 2 at i0");
    assertLine("y = position with x shape dA0 at -i0", "y = position shape d(x, 0) at -i0");
    assertLine("y = reindex x shape at 0, 0 outside 3", "y = reindex x shape at 0, 0 outside 3.0");
  }

  @Test
  void requirements_areThoseOfTheOps_unlessTheyHaveLines() {
    String[] lines = {
      "input a: float32[?, ?]", "input b: float32[?, ?]", "require d(a, 1) = d(x, 0)", "c = a * b",
    };
    assertThat(parse(lines).requirements().toString())
        .isEqualTo(
            "[Requirement[left=d(a, 1), right=d(x, 0)], Requirement[left=d(a, 0), right=d(b, 0)],"
                + " Requirement[left=d(a, 1), right=d(b, 1)]]");
  }

  @Test
  void operandsInExtents_meanThoseOfTheirValue() {
    MicroGraph graph =
        parse("y = reindex x shape dA0 + 2, 7 at i0, i1", "z = reindex x shape d(y, 0) at i0, 0");
    assertThat(graph.nodes().get(2).shape().toString()).isEqualTo("[d(x, 0) + 2]");
  }

  @Test
  void isGraph_looksAtTheFirstWord() {
    assertThat(MicroGraphText.isGraph("# program\n\n  micro m")).isTrue();
    assertThat(MicroGraphText.isGraph("program micro")).isFalse();
    assertThat(MicroGraphText.isGraph("microscope")).isFalse();
    assertThat(MicroGraphText.isGraph("")).isFalse();
    assertThat(MicroGraphText.isGraph("\0\1")).isFalse();
  }

  @Test
  void hostileTexts_areErrors() {
    int many = 100_000;
    for (String op :
        ImmutableList.of(
            "(".repeat(many),
            "-".repeat(many) + "x",
            "x" + " * x".repeat(many),
            "sum ".repeat(many),
            "reindex x shape " + "-".repeat(many),
            "reindex x shape d(x, 999999999999) at 0, 0",
            "sum x over 999999999999",
            "select x along 2 at x")) {
      assertThrows(MicroSyntaxException.class, () -> parse("y = " + op));
    }
  }

  @Test
  void aChainOfManyLines_isNoTrouble() {
    StringBuilder text = new StringBuilder("micro m\ninput x0: float32[?]\n");
    for (int i = 1; i < 3000; i++) {
      text.append("x" + i + " = exp(x" + (i - 1) + ")\n");
    }
    MicroGraph graph = MicroGraphText.parse(text + "output x2999\n");
    assertThat(graph.nodes()).hasSize(3000);
    assertThat(MicroGraphText.print(graph)).isEqualTo(text + "output x2999\n");
    MicroProgram program = graph.emit();
    assertThat(MicroProgramText.parse(program.toString())).isEqualTo(program);
  }
}
