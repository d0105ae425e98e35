package dev.sublet;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.program.Program;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.Trial;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.simulate.Simulator;
import dev.sublet.testing.text.ProgramText;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * What must hold of programs that a runtime would run: no rule contradicts a declaration, and
 * planner, validators and simulator agree. {@link ExecutionPropertyTest} has the executor's share.
 */
final class TypedProgramsTest {

  private static final PlannerOptions FEW_NODES =
      new PlannerOptions(/* nodes= */ 300, /* timeoutMillis= */ 0, BufferOrder.SIZE);

  private static TranspileOptions options(long seed) {
    ImmutableList<Views> views = ImmutableList.copyOf(Views.values());
    ImmutableList<LoopMode> loops = ImmutableList.copyOf(LoopMode.values());
    long alignment = ImmutableList.of(1L, 16L, 32L, 64L).get((int) Math.floorMod(seed, 4L));
    OffsetOptions offsets =
        new OffsetOptions(
                OffsetOptions.defaults().planner(),
                alignment,
                seed % 3 != 0,
                views.get((int) Math.floorMod(seed / 4, (long) views.size())))
            .withSearch(FEW_NODES);
    return TranspileOptions.defaults()
        .withOffsets(offsets)
        .withLoops(loops.get((int) Math.floorMod(seed / 16, (long) loops.size())));
  }

  @Property(tries = 120)
  @AddLifecycleHook(LongForm.class)
  void declarations_areWhatOperatorsMake(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int size) {
    Program program = RandomPrograms.generateTyped(seed, size);
    for (Diagnostic diagnostic :
        Transpiler.plan(program, TranspileOptions.defaults()).diagnostics()) {
      assertWithMessage(ProgramText.print(program))
          .that(diagnostic.message())
          .doesNotContain("declared with");
    }
  }

  @Property(tries = 120)
  @AddLifecycleHook(LongForm.class)
  void rewritingsAndPlans_showTheSameValues(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int size) {
    Program original = RandomPrograms.generateTyped(seed, size);
    TranspileOptions options = options(seed);
    TranspileResult result = Transpiler.transpile(original, options);
    PlanResult planned = Transpiler.plan(original, options);
    Fallbacks.assertNone(result.diagnostics(), ProgramText.print(original));
    Fallbacks.assertNone(planned.diagnostics(), ProgramText.print(original));
    for (Simulator each : Trial.simulators(original, seed)) {
      Simulator simulator = each.withStaticShapes().withViews(InferredSizes.of(original));
      Simulator rewritten = each.withStaticShapes().withViews(InferredSizes.of(result.program()));
      // Of an unrolled program the simulator cannot tell which operator is which.
      if (result.program().blocks().size() == original.blocks().size()) {
        assertWithMessage(ProgramText.print(original) + "becomes\n" + result)
            .that(each.run(result.program(), original).differencesFrom(each.run(original)))
            .isEmpty();
      }
      assertWithMessage(ProgramText.print(original) + planned.plan())
          .that(simulator.run(original, planned.plan()).differencesFrom(simulator.run(original)))
          .isEmpty();
      assertWithMessage(ProgramText.print(result.program()) + result.plan())
          .that(
              rewritten
                  .run(result.program(), result.plan())
                  .differencesFrom(rewritten.run(result.program())))
          .isEmpty();
    }
  }
}
