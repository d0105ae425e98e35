package dev.sublet.runtime.micro;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.golden.ExpectedFiles;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.emit.EmitC;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.op.Differentiate;
import dev.sublet.runtime.micro.op.GradientRequest;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.micro.op.MicroGraphText;
import dev.sublet.runtime.micro.op.MicroNode;
import dev.sublet.runtime.micro.op.MicroOp;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.micro.text.MicroSyntaxException;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.micro.MicroValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What becomes of every {@code op.micro} in a folder of {@code testdata/micro}, step by step, and
 * what it computes.
 *
 * <p>A case holds {@code op.micro}; {@code values.txt}, inputs and outputs that were computed
 * elsewhere; and one expected file for each of {@link #STEPS}. A text of {@code
 * testdata/micro_errors} is one that cannot be read; beside it lies what is said about it.
 *
 * <p>With {@code -Dsublet.updateGoldens=true} the expected files are written instead: review the
 * diff. {@code values.txt} is never written.
 */
final class MicroGoldenTest {

  /** The files of a case, and how each follows from its graph. */
  private static final ImmutableMap<String, Function<MicroGraph, String>> STEPS =
      ImmutableMap.of(
          "printed.micro",
          MicroGraphText::print,
          "emitted.micro",
          graph -> MicroProgramText.print(graph.emit()),
          "fused.micro",
          graph -> MicroProgramText.print(fused(graph)),
          "op.c",
          graph -> EmitC.emit(fused(graph)),
          "gradient.micro",
          MicroGoldenTest::gradient);

  /** The programs of a case, each of which computes the same. */
  private static final ImmutableMap<String, Function<MicroGraph, MicroProgram>> PROGRAMS =
      ImmutableMap.of("emitted", MicroGraph::emit, "fused", MicroGoldenTest::fused);

  private static MicroProgram fused(MicroGraph graph) {
    return SimplifyProgram.simplify(graph.emit()).program();
  }

  /** The fused gradient of all floating-point inputs; empty if there are none. */
  private static String gradient(MicroGraph graph) {
    for (MicroNode node : graph.nodes()) {
      if (node.op() instanceof MicroOp.Input && node.type().isFloating()) {
        MicroProgram program =
            Differentiate.gradient(graph, GradientRequest.fromInputs(graph)).program();
        MicroProgramCheck.check(program);
        MicroProgram simple = SimplifyProgram.simplify(program).program();
        MicroProgramCheck.check(simple);
        return MicroProgramText.print(simple);
      }
    }
    return "";
  }

  @TestFactory
  List<DynamicTest> cases() {
    ImmutableList<GoldenCase> cases = GoldenPrograms.in(Path.of("testdata", "micro")).cases();
    assertThat(cases.size()).isAtLeast(14);
    List<DynamicTest> tests = new ArrayList<>();
    for (GoldenCase golden : cases) {
      String name = golden.name();
      tests.add(DynamicTest.dynamicTest(name, () -> checkSteps(golden)));
      tests.add(DynamicTest.dynamicTest(name + " computes", () -> checkValues(golden.folder())));
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> errors() {
    GoldenPrograms files = GoldenPrograms.in(Path.of("testdata", "micro_errors"));
    List<DynamicTest> tests = new ArrayList<>();
    for (GoldenCase golden : files.files(".micro")) {
      tests.add(DynamicTest.dynamicTest(golden.name(), () -> checkError(golden)));
    }
    assertThat(tests.size()).isAtLeast(40);
    if (!Boolean.getBoolean(GoldenPrograms.UPDATE_SWITCH)) {
      assertThat(files.files(".expected")).hasSize(tests.size());
    }
    return tests;
  }

  private static MicroGraph graph(Path folder) throws IOException {
    String text = Files.readString(folder.resolve("op.micro"));
    assertThat(MicroGraphText.isGraph(text)).isTrue();
    return MicroGraphText.parse(text);
  }

  private static void checkSteps(GoldenCase golden) throws IOException {
    MicroGraph graph = graph(golden.folder());
    ExpectedFiles expected = golden.expect();
    STEPS.forEach((file, step) -> expected.text(file, step.apply(graph)));
    expected.check();
    assertThat(MicroGraphText.parse(MicroGraphText.print(graph))).isEqualTo(graph);
  }

  private static void checkValues(Path folder) throws IOException {
    MicroGraph graph = graph(folder);
    MicroValues values = MicroValues.read(folder.resolve("values.txt"));
    for (var entry : PROGRAMS.entrySet()) {
      MicroProgram program = entry.getValue().apply(graph);
      MicroProgramCheck.check(program);
      assertThat(MicroProgramText.parse(MicroProgramText.print(program))).isEqualTo(program);
      ImmutableMap<String, Tensor> outputs =
          MicroInterpreter.run(program, values.inputs(), values.parameters());
      values.assertOutputs(entry.getKey(), outputs);
    }
  }

  private static void checkError(GoldenCase golden) throws IOException {
    String text = Files.readString(golden.input());
    String name = golden.input().getFileName().toString();
    MicroSyntaxException e =
        assertThrows(
            MicroSyntaxException.class,
            () -> {
              if (MicroGraphText.isGraph(text)) {
                MicroGraphText.parse(text);
              } else {
                MicroProgramText.parse(text);
              }
            });
    golden.expect().text(golden.name() + ".expected", e.describe(name) + "\n").check();
  }
}
