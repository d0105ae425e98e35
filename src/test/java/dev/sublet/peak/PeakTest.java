package dev.sublet.peak;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.BetterOrder;
import dev.sublet.PlanResult;
import dev.sublet.ScheduledProgram;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The peak of a plan, and the changes that make the arena smaller. */
final class PeakTest {

  /** A skip connection: {@code a} waits for the end of a branch that is larger. */
  private static final String SKIP =
      """
      default fp32[]
      block 0
        feed x: fp32[1,64]
        a = relu(x)
        b = concat(a a a a) {axis: 1}
        c = tanh(b)
        d = reduce_sum(c) {dim: [1], keep_dim: true}
        y = elementwise_add(a, d)
        fetch(y)
      """;

  private static PlanResult plan(Program program) {
    return Transpiler.plan(program, TranspileOptions.defaults());
  }

  @Test
  void peak_listsItsTensors() {
    PlanResult plan = plan(ProgramText.parse(SKIP));
    PlanPeak peak = PlanPeak.of(plan.facts(), plan.plan());
    assertThat(peak.at()).isEqualTo("block 0, op 3 (tanh)");
    assertThat(peak.bytes()).isEqualTo(256 + 256 + 1024 + 1024);
    List<String> rows =
        peak.tensors().stream()
            .map(
                tensor ->
                    tensor.variable().name()
                        + " "
                        + tensor.kind().word()
                        + " "
                        + tensor.writtenBy().orElse("-")
                        + " "
                        + tensor.lastReadBy().orElse("-"))
            .toList();
    assertThat(rows)
        .containsExactly(
            "b activation block 0, op 2 (concat) block 0, op 3 (tanh)",
            "c activation block 0, op 3 (tanh) block 0, op 4 (reduce_sum)",
            "x feed block 0, op 0 (feed) -",
            "a activation block 0, op 1 (relu) block 0, op 5 (elementwise_add)");
    assertThat(peak.bottleneck().map(tensor -> tensor.variable().name())).hasValue("c");
    assertThat(peak.bottleneck().orElseThrow().without()).isEqualTo(256 + 1024 + 256);
  }

  private static Levers levers(Program program, Optional<OnnxModel> model) {
    TranspileOptions options = TranspileOptions.defaults();
    PlanResult plan = plan(program);
    BetterOrder order =
        model.isPresent()
            ? BetterOrder.of(model.get(), plan.facts(), options)
            : BetterOrder.of(plan.facts(), options);
    return Levers.find(
        new ProgramVersion(program, model),
        options,
        plan,
        PlanPeak.of(plan.facts(), plan.plan()),
        order);
  }

  private static List<String> changes(Levers levers) {
    return levers.levers().stream()
        .map(lever -> lever.change() + ": " + lever.arenaBytes())
        .toList();
  }

  private static List<String> changes(String text) {
    return changes(levers(ProgramText.parse(text), Optional.empty()));
  }

  private static Levers levers(String file) {
    ReadProgram read = ProgramReader.readWithFormat(Path.of("testdata").resolve(file));
    return levers(read.program(), read.model());
  }

  @Test
  void changesThatHelp_areListed() {
    assertThat(changes(SKIP))
        .containsExactly(
            "--reuse-feeds: 2304",
            "compute 'a' again before block 0, op 5 (elementwise_add): 2304",
            "--views all: 2308");
    Levers levers = levers(ProgramText.parse(SKIP), Optional.empty());
    Lever again = levers.levers().get(1);
    assertThat(again.price()).isEqualTo("one more relu of 64 elements: 64 FLOPs");
    assertThat(again.flops()).isEqualTo(OptionalLong.of(64));
    assertThat(again.program()).isPresent();
    assertThat(levers.levers().get(0).program()).isEmpty();
    String twoResults = SKIP.replace("d = reduce_sum", "fetch(b)\n  e = tanh(c)\n  d = reduce_sum");
    assertThat(changes(twoResults)).contains("without the result 'b': 2560");
  }

  @Test
  void anotherOrder_isAChange() {
    Path file = Path.of("testdata", "examples", "searched_cells", "program.textproto");
    Program cells = ProgramReader.read(file);
    Levers levers = levers(cells, Optional.empty());
    assertThat(changes(levers)).containsExactly("optimize --schedule memory: 175104");
    assertThat(levers.order()).isEqualTo(OrderLimit.FOUND_IS_LEAST);
    // What the option does.
    TranspileOptions withoutPasses =
        TranspileOptions.defaults()
            .withSharing(SharingOptions.defaults().withFusion(FusionMode.OFF));
    assertThat(ScheduledProgram.transpile(cells, withoutPasses, stage -> {}).plan().arenaBytes())
        .isEqualTo(175_104);
  }

  @Test
  void anotherOrderOfAChain_isNoChange() {
    String chain =
        """
        default fp32[8]
        block 0
          feed x
          a = exp(x)
          b = tanh(a)
          y = exp(b)
          fetch(y)
        """;
    Levers levers = levers(ProgramText.parse(chain), Optional.empty());
    assertThat(changes(levers).toString()).doesNotContain("--schedule");
    assertThat(levers.order()).isEqualTo(OrderLimit.IS_LEAST);
  }

  @Test
  void anotherOrderOfNodes_isAChangeOfAModel() {
    Levers attention = levers("gallery/transformer.textproto");
    assertThat(changes(attention)).contains("optimize --schedule memory: 4984832");
    assertThat(attention.order()).isEqualTo(OrderLimit.FOUND_IS_LEAST);
    Levers chain = levers("docs/model.onnx.textproto");
    assertThat(changes(chain).toString()).doesNotContain("--schedule");
  }

  /** The search knows less about programs with blocks inside, so it proves nothing. */
  @Test
  void anotherOrderOfAProgramWithALoop_isNotProvedToBeUseless() {
    Levers loop = levers("examples/greedy_decoder/program.textproto");
    assertThat(loop.order()).isEqualTo(OrderLimit.NO_SMALLER_ARENA);
  }

  /** A tensor that is computed again has the same elements. */
  @Test
  void repeatedOperators_changeNoResult() {
    int repeated = 0;
    int smaller = 0;
    for (int round = 0; round < 80; round++) {
      Program program = ExecutablePrograms.generate(round, 8 + round % 30);
      PlanResult plan = plan(program);
      PlanPeak peak = PlanPeak.of(plan.facts(), plan.plan());
      for (PeakTensor tensor : peak.tensors()) {
        Optional<Recomputation> again =
            Recomputation.of(ProgramVersion.of(program), plan.facts(), tensor, peak.node());
        if (again.isEmpty()) {
          continue;
        }
        Program changed = again.get().program().program();
        PlanResult planned = plan(changed);
        assertWithMessage("round %s, %s", round, tensor)
            .that(run(changed, Optional.of(planned.plan())))
            .isEqualTo(run(program, Optional.empty()));
        assertWithMessage("round %s, %s", round, tensor)
            .that(Verifier.verify(program, changed, TranspileOptions.defaults()).toString())
            .isEqualTo("valid");
        repeated++;
        smaller += planned.plan().arenaBytes() < plan.plan().arenaBytes() ? 1 : 0;
      }
    }
    assertThat(repeated).isAtLeast(10);
    assertThat(smaller).isAtLeast(1);
  }

  private static ImmutableList<Tensor> run(Program program, Optional<MemoryPlan> plan) {
    ExecutionOptions options = ExecutionOptions.defaults();
    ExecutionResult result =
        Executor.run(
            program,
            ImmutableMap.of(
                "x",
                feed("x", ImmutableLongArray.of(4, 4)),
                "y",
                feed("y", ImmutableLongArray.of(16))),
            RandomTensors.parameters(program),
            plan.map(options::in).orElse(options));
    return result.outputs().stream()
        .map(output -> output.tensor().tensor())
        .collect(ImmutableList.toImmutableList());
  }

  private static LodTensor feed(String name, ImmutableLongArray shape) {
    return LodTensor.of(RandomTensors.feed(name, 0, DataType.FP32, shape));
  }
}
