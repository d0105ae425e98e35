package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.RunComparison;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.diag.Diagnostic;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Declarations that contradict what operators make: what runs counts, and users are told. */
final class DeclaredShapesTest {

  private static final String CONTRADICTION =
      """
      version 2004000
      block 0
      feed x: fp32[8,4]
      var p: fp32[8,8]
      var q: fp32[4,4]
      var y: fp32[4,4]
      p q = split(x) {axis: 0, num: 2}
      y = tanh(p)
      fetch(y)
      """;

  private static List<String> warnings(Program program, TranspileOptions options) {
    return Transpiler.plan(program, options).diagnostics().stream()
        .filter(each -> each.kind() == Diagnostic.Kind.WARNING)
        .map(Diagnostic::toString)
        .toList();
  }

  private static List<String> warnings(String text) {
    return warnings(ProgramText.parse(text), TranspileOptions.defaults());
  }

  @ParameterizedTest
  @CsvSource({"declared_contradicts, 7", "declared_contradicts_once, 1"})
  void plansAreRight_forWhatRuns(String name, int contradictions) {
    Program program = ProgramReader.read(Path.of("testdata/share", name, "in.textproto"));
    RunComparison.RunInputs inputs =
        new RunComparison.RunInputs(
            ImmutableMap.of(
                "x",
                LodTensor.of(
                    RandomTensors.feed("x", 0, DataType.FP32, ImmutableLongArray.of(32, 32)))),
            ImmutableMap.of());
    for (Views views : Views.values()) {
      for (long alignment : new long[] {4, 64, 1024}) {
        TranspileOptions options =
            TranspileOptions.defaults()
                .withOffsets(OffsetOptions.defaults().withViews(views).withAlignment(alignment));
        assertThat(warnings(program, options)).hasSize(contradictions);
        TranspileResult result = Transpiler.transpile(program, options);
        assertWithMessage("%s, alignment %s, rewritten", views, alignment)
            .that(
                RunComparison.run(result, inputs, ExecutionOptions.defaults(), step -> {})
                    .isEqual())
            .isTrue();
        assertWithMessage("%s, alignment %s", views, alignment)
            .that(
                RunComparison.run(
                        program,
                        Transpiler.plan(program, options).plan(),
                        inputs,
                        ExecutionOptions.defaults(),
                        step -> {})
                    .isEqual())
            .isTrue();
      }
    }
  }

  @Test
  void aContradiction_isAWarning_withBothShapes() {
    assertThat(warnings(CONTRADICTION))
        .containsExactly(
            "block 0, op 1 (split), variable 'p': is declared as [8, 8], but 'split' makes [4, 4];"
                + " the plan follows the operator, and has room for the larger of the two");
  }

  /** Extents are inferred from what runs; bytes are those of the larger shape. */
  @Test
  void sizes_haveRoomForTheLargerShape() {
    Program program = ProgramText.parse(CONTRADICTION);
    var sizes = InferredSizes.of(program);
    int p = program.declared(0, "p");
    assertThat(sizes.bytes(p)).isEqualTo(256);
    assertThat(sizes.hasDeclaredRoom(p)).isTrue();
    assertThat(sizes.dims(p)).isEqualTo(ImmutableLongArray.of(4, 4));
    assertThat(sizes.bytes(program.declared(0, "y"))).isEqualTo(64);
    assertThat(sizes.hasDeclaredRoom(program.declared(0, "y"))).isFalse();

    Program smaller = ProgramText.parse(CONTRADICTION.replace("p: fp32[8,8]", "p: fp32[2,2]"));
    assertThat(InferredSizes.of(smaller).bytes(smaller.declared(0, "p"))).isEqualTo(64);
    assertThat(warnings(CONTRADICTION.replace("p: fp32[8,8]", "p: fp32[2,2]"))).hasSize(1);
  }

  @Test
  void whatNeedNotContradict_isNoWarning() {
    assertThat(warnings(CONTRADICTION.replace("p: fp32[8,8]", "p: fp32[4,4]"))).isEmpty();
    assertThat(warnings(CONTRADICTION.replace("p: fp32[8,8]", "p: fp32[-1,4]"))).isEmpty();
    // The batch is not the same in every run, and ones in between are counted differently.
    assertThat(
            warnings(
                ProgramText.parse(CONTRADICTION.replace("x: fp32[8,4]", "x: fp32[-1,4]")),
                TranspileOptions.defaults().withShapes(ShapeOptions.defaults().withBatch(8))))
        .isEmpty();
    assertThat(warnings(CONTRADICTION.replace("p: fp32[8,8]", "p: fp32[4,1,4]"))).isEmpty();
    // A name with two writers is declared as one of them has it.
    assertThat(warnings(CONTRADICTION.replace("y = tanh(p)", "p = tanh(x)\ny = tanh(q)")))
        .isEmpty();
    // The feed is declared for another shape than the given one.
    ShapeOptions given = ShapeOptions.defaults().withShape("x", 16, 4);
    assertThat(
            warnings(
                ProgramText.parse(CONTRADICTION), TranspileOptions.defaults().withShapes(given)))
        .isEmpty();
  }

  /** The blocks of an operator that nobody knows write more into a variable than it is declared. */
  @Test
  void blocksOfUnknownOperators_areInferred() {
    String text =
        """
        version 2004000
        block 0
        feed x: fp32[8]
        var t: fp32[4]
        var s: fp32[4]
        s = tanh(t)
        mystery_runner(x) -> (Out: t) {sub_block: 1}
        fetch(t)
        block 1 parent 0
        var u: fp32[16]
        t = assign(u)
        u = concat(x x) {axis: 0}
        """;
    Program program = ProgramText.parse(text);
    assertThat(InferredSizes.of(program).bytes(program.declared(0, "t"))).isEqualTo(64);
    Program fits = ProgramText.parse(text.replace("t = assign(u)", "t = assign(t)"));
    assertThat(InferredSizes.of(fits).bytes(fits.declared(0, "t"))).isEqualTo(16);
  }
}
