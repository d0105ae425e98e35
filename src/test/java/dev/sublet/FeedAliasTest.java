package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.RunComparison.RunInputs;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A feed {@code past} and a result {@code present} that are one buffer: when that is possible, the
 * reason when it is not, and wrong plans that the validator refuses.
 */
final class FeedAliasTest {

  private static final TranspileOptions ALIASED = aliased("past", "present");

  /** A cache that grows along its first axis, as a decoder's does. */
  private static final ImmutableList<String> GROWING =
      ImmutableList.of(
          "feed past: fp32[8,16]",
          "feed x: fp32[1,16]",
          "var new: fp32[1,16]",
          "var present: fp32[9,16]",
          "var old: fp32[8,16]",
          "new = tanh(x)",
          "present = concat(X: past new) {axis: 0}",
          "old = tanh(past)",
          "fetch(present)",
          "fetch(old)");

  private static TranspileOptions aliased(String feed, String result) {
    return TranspileOptions.defaults()
        .withObservation(
            new ObservationOptions(
                ImmutableSet.of(),
                ImmutableSet.of(),
                /* reuseFeeds= */ false,
                ImmutableMap.of(feed, result)));
  }

  private static Program program(List<String> lines) {
    return ProgramText.parse("version 2004000\nblock 0\n" + String.join("\n", lines) + "\n");
  }

  private static MemoryPlan plan(String... lines) {
    return plan(ALIASED, List.of(lines));
  }

  private static MemoryPlan plan(TranspileOptions options, List<String> lines) {
    Program program = program(lines);
    MemoryPlan plan = Transpiler.plan(program, options).plan();
    assertThat(at(plan, "past").offset()).isEqualTo(at(plan, "present").offset());
    assertThat(
            plan.aliases().stream().filter(alias -> alias.kind().equals(Alias.REQUESTED)).toList())
        .hasSize(1);
    return plan;
  }

  private static String refusal(TranspileOptions options, String... lines) {
    Program program = program(List.of(lines));
    return String.valueOf(
        assertThrows(ProgramException.class, () -> Transpiler.plan(program, options)).getMessage());
  }

  private static Allocation at(MemoryPlan plan, String variable) {
    return plan.allocations().stream()
        .filter(allocation -> allocation.variable().name().equals(variable))
        .findFirst()
        .orElseThrow();
  }

  /** The result may be written as soon as nothing reads the feed any more, in the same operator. */
  @Test
  void aFeedThatIsNoLongerRead_givesItsBytes() {
    MemoryPlan state =
        plan(
            "feed past: fp32[16]",
            "var h: fp32[16]",
            "var present: fp32[16]",
            "h = tanh(past)",
            "present = tanh(h)",
            "fetch(present)");

    assertThat(state.arenaBytes()).isEqualTo(64);
    assertThat(state.isProvedOptimal()).isTrue();
    MemoryPlan inPlace =
        plan(
            "feed past: fp32[16]",
            "var present: fp32[16]",
            "present = relu(past)",
            "fetch(present)");
    assertThat(inPlace.arenaBytes()).isEqualTo(64);
  }

  @Test
  void aCacheThatGrowsAlongItsFirstAxis_staysWhereItIs_thoughItIsReadLater() {
    MemoryPlan plan = plan(ALIASED, GROWING);

    assertThat(plan.arenaBytes()).isEqualTo(576 + 64 + 512);
    assertThat(plan.isProvedOptimal()).isTrue();
    OffsetOptions noViews = OffsetOptions.defaults().withViews(Views.NONE).withInPlace(false);
    assertThat(plan(ALIASED.withOffsets(noViews), GROWING).arenaBytes())
        .isEqualTo(plan.arenaBytes());
  }

  @Test
  void reshapesAroundTheJoin_areViewsToo() {
    MemoryPlan plan =
        plan(
            "feed past: fp32[1,8,16]",
            "feed x: fp32[1,16]",
            "var flat: fp32[8,16]",
            "var all: fp32[9,16]",
            "var present: fp32[1,9,16]",
            "flat = reshape2(past) {shape: [8, 16]}",
            "all = concat(X: flat x) {axis: 0}",
            "present = reshape2(all) {shape: [1, 9, 16]}",
            "y = relu(all)",
            "fetch(present)",
            "fetch(past)",
            "fetch(y)");

    assertThat(at(plan, "flat").offset()).isEqualTo(at(plan, "past").offset());
    assertThat(at(plan, "all").offset()).isEqualTo(at(plan, "past").offset());
  }

  @Test
  void elementsThatWouldMove_areRefused() {
    String refused =
        refusal(
            ALIASED,
            "feed past: fp32[2,8,16]",
            "feed x: fp32[2,1,16]",
            "var present: fp32[2,9,16]",
            "present = concat(X: past x) {axis: 1}",
            "fetch(present)");

    assertThat(refused)
        .isEqualTo(
            "block 0, op 2 (concat): --alias past=present: reads 'past' while it writes"
                + " 'present', and the elements may not stay where they are; make the axis that"
                + " grows the first one, or leave out this --alias");
    assertThat(
            refusal(
                ALIASED,
                "feed past: fp32[4,4]",
                "var present: fp32[4,4]",
                "present = matmul(past, past)",
                "fetch(present)"))
        .contains("op 1 (matmul): --alias past=present: reads 'past' while it writes 'present'");
    assertThat(
            refusal(
                ALIASED,
                "feed x: fp32[1,16]",
                "feed past: fp32[8,16]",
                "var present: fp32[9,16]",
                "present = concat(X: x past) {axis: 0}",
                "fetch(present)"))
        .contains("op 2 (concat): --alias past=present: reads 'past' while it writes 'present'");
  }

  @Test
  void aLaterReaderOfTheFeed_isNamed() {
    assertThat(
            refusal(
                ALIASED,
                "feed past: fp32[16]",
                "var present: fp32[16]",
                "present = relu(past)",
                "y = tanh(past)",
                "fetch(present)",
                "fetch(y)"))
        .isEqualTo(
            "block 0, op 2 (tanh): --alias past=present: reads 'past', but block 0, op 1"
                + " (relu) may have written 'present' over it; let it read 'present', or leave out"
                + " this --alias");
    assertThat(
            refusal(
                ALIASED,
                "feed past: fp32[16]",
                "var present: fp32[16]",
                "present = relu(past)",
                "fetch(present)",
                "fetch(past)"))
        .contains("op 3 (fetch): --alias past=present: reads 'past'");
  }

  @Test
  void theParallelOrder_needsAnOrderOfTheAccesses() {
    TranspileOptions parallel =
        ALIASED.withOffsets(OffsetOptions.defaults().withOrder(ExecutionOrder.PARALLEL));
    assertThat(
            refusal(
                parallel,
                "feed past: fp32[16]",
                "feed x: fp32[16]",
                "var present: fp32[16]",
                "y = tanh(past)",
                "present = tanh(x)",
                "fetch(present)",
                "fetch(y)"))
        .contains("--alias past=present");
    plan(
        parallel,
        List.of(
            "feed past: fp32[16]",
            "var present: fp32[16]",
            "y = tanh(past)",
            "present = tanh(y)",
            "fetch(present)"));
    plan(parallel, GROWING);
  }

  @Test
  void namesThatAreNoFeedOrResult_areRefused() {
    String[] lines = GROWING.toArray(new String[0]);
    assertThat(refusal(aliased("pats", "present"), lines))
        .isEqualTo(
            "--alias names 'pats', which is not a feed; did you mean 'past'? The feeds are:"
                + " past, x");
    assertThat(refusal(aliased("past", "new"), lines))
        .isEqualTo("--alias names 'new', which is not a result; the results are: present, old");
    assertThat(refusal(aliased("past", "x"), lines)).contains("'x', which is not a result");
    assertThat(
            refusal(
                aliased("past", "present"), String.join("\n", GROWING).replace("[8,16]", "[8,-1]")))
        .contains("--alias names 'past', which has no offset: size unknown");
  }

  @Test
  void aFeedWithoutBytes_isNowhere() {
    Program program =
        program(
            List.of(
                "feed past: fp32[0,16]",
                "feed x: fp32[1,16]",
                "var present: fp32[1,16]",
                "present = concat(X: past x) {axis: 0}",
                "fetch(present)"));

    assertThat(Transpiler.plan(program, ALIASED).plan().arenaBytes()).isEqualTo(128);
  }

  /** The proof demands the alias, and refuses a plan that overwrites a feed without one. */
  @Test
  void wrongPlans_areRefused() {
    Program program = program(GROWING);
    MemoryPlan plan = Transpiler.plan(program, ALIASED).plan();
    assertThat(Verifier.verifyPlan(program, plan, ALIASED).toString()).isEqualTo("valid");
    MemoryPlan apart = Transpiler.plan(program, TranspileOptions.defaults()).plan();
    assertThat(Verifier.verifyPlan(program, apart, ALIASED).toString())
        .contains(
            "variable 'present': is to begin where the feed 'past' begins (--alias), but does not");
    MemoryPlan longer = moved(plan, "past", 64);
    assertThat(Verifier.verifyPlan(program, longer, ALIASED).toString())
        .contains("is to begin where the feed 'past' begins (--alias), but does not");
    long present = at(plan, "present").offset();
    assertThat(Verifier.verifyPlan(program, moved(plan, "new", present), ALIASED).isValid())
        .isFalse();
    assertThat(Verifier.verifyPlan(program, moved(plan, "old", present), ALIASED).isValid())
        .isFalse();

    Program overwriting =
        program(
            List.of(
                "feed past: fp32[16]",
                "var present: fp32[16]",
                "present = relu(past)",
                "fetch(present)"));
    MemoryPlan over = Transpiler.plan(overwriting, ALIASED).plan();
    assertThat(Verifier.verifyPlan(overwriting, over, TranspileOptions.defaults()).toString())
        .contains("variable 'past': is observed, but its");
  }

  private static MemoryPlan moved(MemoryPlan plan, String variable, long offset) {
    List<Allocation> allocations = new ArrayList<>();
    for (Allocation each : plan.allocations()) {
      boolean isMoved = each.variable().name().equals(variable);
      allocations.add(
          isMoved
              ? new Allocation(each.variable(), each.arena(), offset, each.bytes(), each.live())
              : each);
    }
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.order(),
        plan.arenas(),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases());
  }

  /** A program that is rewritten, too: names may be shared with the feed, but no result is lost. */
  @Test
  void rewrittenPrograms_keepTheAlias() {
    TranspileResult result = Transpiler.transpile(program(GROWING), ALIASED);

    assertThat(at(result.plan(), "past").offset()).isEqualTo(at(result.plan(), "present").offset());
    assertThat(Verifier.verify(program(GROWING), result.program(), ALIASED).toString())
        .isEqualTo("valid");
  }

  /**
   * Each feed of random programs with each result: the alias is refused, or the program computes
   * the same in the arena. A plan that was made without the alias and then bent is refused, or
   * computes the same.
   */
  @Test
  void randomPrograms_computeTheSame() {
    int accepted = 0;
    int refused = 0;
    int bent = 0;
    int rounds = LongForm.tries(/* usual= */ 20, /* all= */ 60);
    for (int round = 0; round < rounds; round++) {
      Program program = ExecutablePrograms.generate(5000 + round, 4 + round % 24);
      Views[] kinds = Views.values();
      Views views = kinds[round % kinds.length];
      for (String feed : List.of("x", "y")) {
        for (String result : results(program)) {
          TranspileOptions options =
              aliased(feed, result).withOffsets(OffsetOptions.defaults().withViews(views));
          String about = feed + "=" + result + "\n" + ProgramText.print(program);
          try {
            assertEqual(program, Transpiler.plan(program, options).plan(), about);
            assertEqual(Transpiler.transpile(program, options), program, about);
            accepted++;
          } catch (ProgramException refusal) {
            assertThat(refusal.exitCode()).isEqualTo(2);
            refused++;
            MemoryPlan plan = Transpiler.plan(program, TranspileOptions.defaults()).plan();
            MemoryPlan over = moved(plan, result, at(plan, feed).offset());
            if (Verifier.verifyPlan(program, over, options).isValid()) {
              bent++;
              assertEqual(program, over, about);
            }
          }
        }
      }
    }
    assertWithMessage("accepted, of %s refused, %s bent", refused, bent)
        .that(accepted)
        .isAtLeast(2 * rounds / 3);
    assertThat(refused).isAtLeast(rounds / 3);
  }

  private static List<String> results(Program program) {
    List<String> results = new ArrayList<>();
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("fetch")) {
        results.add(program.variable(operation.input(0)).name());
      }
    }
    return results;
  }

  private static RunInputs inputs(Program program) {
    return new RunInputs(
        ImmutableMap.of(
            "x", feed("x", ImmutableLongArray.of(4, 4)), "y", feed("y", ImmutableLongArray.of(16))),
        RandomTensors.parameters(program));
  }

  private static LodTensor feed(String name, ImmutableLongArray shape) {
    return LodTensor.of(RandomTensors.feed(name, 0, DataType.FP32, shape));
  }

  private static void assertEqual(Program program, MemoryPlan plan, String about) {
    RunComparison run =
        RunComparison.run(program, plan, inputs(program), ExecutionOptions.defaults(), step -> {});
    assertWithMessage("%s\n%s", run.forms(), about).that(run.isEqual()).isTrue();
  }

  private static void assertEqual(TranspileResult result, Program program, String about) {
    RunComparison run =
        RunComparison.run(result, inputs(program), ExecutionOptions.defaults(), step -> {});
    assertWithMessage("%s\n%s", run.forms(), about).that(run.isEqual()).isTrue();
  }
}
