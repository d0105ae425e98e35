package dev.sublet.runtime.micro.text;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.RandomMicroPrograms;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Programs print as what is read as themselves; what cannot be read is an error with its place. */
final class MicroProgramTextTest {

  private static final String MATMUL =
      """
      program matmul
      parameter $alpha: float32
      input a: float32[?, ?]
      input b: float32[?, ?]
      output c: float32[d(a, 0), d(b, 1)]
      require d(a, 1) = d(b, 0)
      function c
        block
          for i0 in 0..d(a, 0)
            for i1 in 0..d(b, 1)
              carry c0 = sum float32
              for i2 in 0..d(a, 1)
                c0 << a[i0, i2] * b[i2, i1]
              c[i0, i1] = c0 * $alpha
      """;

  @Property(tries = 2000)
  void parse_ofPrinted_isTheSame(@ForAll long seed) {
    MicroProgram program = RandomMicroPrograms.generate(seed);
    MicroProgramCheck.check(program);
    String text = MicroProgramText.print(program);
    assertWithMessage(text).that(MicroProgramText.parse(text)).isEqualTo(program);
    assertThat(program.toString()).isEqualTo(text);
  }

  /** Damaged texts are read or refused, and refused at a place that the text has. */
  @Property(tries = 2000)
  void damagedText_isReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(RandomMicroPrograms.generate(seed).toString());
    for (int i = 1 + random.nextInt(3); i > 0 && !text.isEmpty(); i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, "([$\"-#\0.=<!9 \n".charAt(random.nextInt(14)));
        default -> text.setCharAt(at, text.charAt(random.nextInt(text.length())));
      }
    }
    try {
      MicroProgram program = MicroProgramText.parse(text.toString());
      assertThat(MicroProgramText.parse(program.toString())).isEqualTo(program);
    } catch (MicroSyntaxException e) {
      assertThat(e.position()).isAtMost(text.length());
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  @Test
  void aProgram_isWhatItLooksLike() {
    MicroProgram program = MicroProgramText.parse(MATMUL);
    assertThat(program.toString()).isEqualTo(MATMUL);
    Loop inner = program.functions().get(0).blocks().get(0).loops().get(2);
    assertThat(inner.id()).isEqualTo(2);
    assertThat(inner.statements().get(0)).isInstanceOf(Statement.Fold.class);
    Loop pivot = program.functions().get(0).blocks().get(0).loops().get(1);
    assertThat(pivot.carried())
        .containsExactly(
            new CarriedVariable(
                0, ReduceOperator.SUM, dev.sublet.runtime.tensor.ElementType.FLOAT32));
  }

  @Test
  void commentsBlanksAndLineEnds_meanNothing() {
    String text =
        MATMUL
            .replace("\n", "  # what # else\r\n\r\n   # nothing\r\n")
            .replace(" * ", "*")
            .replace(", ", " ,\t");
    assertThat(MicroProgramText.parse(text).toString()).isEqualTo(MATMUL);
    String wide = MATMUL.replaceAll("(?m)^( +)", "$1$1$1");
    assertThat(MicroProgramText.parse(wide).toString()).isEqualTo(MATMUL);
  }

  private static void assertValue(String text, String printed) {
    MicroProgram program =
        MicroProgramText.parse(
            """
            program p
            parameter $b: bool
            parameter $f: float32
            parameter $n: int64
            output y: %s[]
            function y
              block
                for i0 in 0..1
                  y[] = %s
            """
                .formatted("float32", "cast(float32, " + text + ")"));
    String line = program.toString().lines().toList().get(8).strip();
    assertThat(line).isEqualTo("y[] = cast(float32, " + printed + ")");
  }

  @Test
  void values_printWithTheParenthesesThatTheyNeed() {
    assertValue("1.0+2.0*3.0", "1.0 + 2.0 * 3.0");
    assertValue("(1.0+2.0)*3.0", "(1.0 + 2.0) * 3.0");
    assertValue("1.0-(2.0-3.0)", "1.0 - (2.0 - 3.0)");
    assertValue("(1.0-2.0)-3.0", "1.0 - 2.0 - 3.0");
    assertValue("1.0 - -2.0", "1.0 - (-2.0)");
    assertValue("-$f*$f", "-$f * $f");
    assertValue("-($f*$f)", "-($f * $f)");
    assertValue("-(1.0)", "-(1.0)");
    assertValue("- 1.0", "-1.0");
    assertValue("--1.0", "-(-1.0)");
    assertValue("$b or $b and $b", "$b or $b and $b");
    assertValue("($b or $b) and $b", "($b or $b) and $b");
    assertValue("$b xor $b and not($b) or $b", "$b xor $b and not($b) or $b");
    assertValue(
        "$n<3 and $f>=.5f32".replace(" .5", " 0.5").replace("=.5", "=0.5"), "$n < 3 and $f >= 0.5");
    assertValue("($n < 3) == $b", "($n < 3) == $b");
    assertValue("maximum($n,index(1+2))", "maximum($n, index(1 + 2))");
    assertValue("floor_divide(7i32, 2i32)", "floor_divide(7i32, 2i32)");
    assertValue("choose(true, inf, -inf)", "choose(true, inf, -inf)");
    assertValue("nan64 * inf64 - 1e3f64", "nan64 * inf64 - 1000.0f64");
    assertValue("3i64 + 4", "3 + 4");
    assertValue("1E-2 + 3e4", "0.01 + 30000.0");
    assertValue("3f32", "3.0");
  }

  private static void assertError(String program, String message) {
    MicroSyntaxException e =
        assertThrows(
            MicroSyntaxException.class, () -> MicroProgramText.parse(program), () -> program);
    assertWithMessage(program).that(e.describe("f")).isEqualTo("f:" + message);
  }

  @Test
  void binaryGarbage_isAnError() {
    assertError("", "1:1: expected 'program'");
    assertError("# nothing", "1:10: expected 'program'");
    assertError("\0\0\0\0", "1:1: expected 'program', or 'micro' if these are micro ops");
    assertError("\uFEFFprogram p", "1:1: expected 'program', or 'micro' if these are micro ops");
    assertError("\n  program p", "2:3: expected 0 blanks in front of the line, not 2");
    assertError("\tprogram p", "1:1: a tab in front of a line; use blanks");
    Random random = new Random(5);
    for (int i = 0; i < 200; i++) {
      StringBuilder garbage = new StringBuilder("program p\n");
      for (int j = random.nextInt(300); j > 0; j--) {
        garbage.append((char) random.nextInt(random.nextBoolean() ? 128 : 65536));
      }
      String text = garbage + "\n?";
      assertThrows(MicroSyntaxException.class, () -> MicroProgramText.parse(text));
    }
  }

  @Test
  void hostileDepthsAndLengths_areErrors() {
    int many = 100_000;
    String head =
        "program p\noutput y: float32[]\nfunction y\n  block\n    for i0 in 0..1\n      y[] = ";
    String tooDeep = "more than 200 parts in each other";
    for (String value :
        List.of(
            "(".repeat(many),
            "-".repeat(many) + "1.0",
            "exp(".repeat(many),
            "1.0" + " + 1.0".repeat(many),
            "maximum(1.0, ".repeat(many),
            "true" + " and true".repeat(many),
            "y[" + "(".repeat(many))) {
      MicroSyntaxException e =
          assertThrows(MicroSyntaxException.class, () -> MicroProgramText.parse(head + value));
      assertThat(e).hasMessageThat().isEqualTo(tooDeep);
      assertThat(e.line()).isEqualTo(6);
    }
    StringBuilder nest = new StringBuilder("program p\nfunction y\n block\n");
    for (int i = 0; i < 2000; i++) {
      nest.append(" ".repeat(i + 2)).append("for i").append(i).append(" in 0..1\n");
    }
    assertError(nest.toString(), "104:103: more than 100 loops in each other");
    assertError(head + "9".repeat(many), "6:13: " + "9".repeat(39) + "… does not fit in int64");
    assertError(
        head + "1e" + "9".repeat(many), "6:13: too large a number; write inf if you mean it");
  }
}
