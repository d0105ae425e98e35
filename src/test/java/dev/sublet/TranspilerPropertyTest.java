package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import dev.sublet.program.Block;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.Trial;
import dev.sublet.testing.TrialOptions;
import dev.sublet.testing.random.OpaquePrograms;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.simulate.Observations;
import dev.sublet.testing.simulate.Simulator;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * What must hold of every program, checked on random ones against a simulator that takes its
 * control flow from the program itself and clobbers every output before it reads the inputs.
 */
final class TranspilerPropertyTest {

  /** Random programs are many, and what a search finds late is no different. */
  private static final PlannerOptions FEW_NODES =
      new PlannerOptions(/* nodes= */ 500, /* timeoutMillis= */ 0, BufferOrder.SIZE);

  private static final TranspileOptions DEFAULTS =
      TranspileOptions.defaults().withOffsets(OffsetOptions.defaults().withSearch(FEW_NODES));

  private static final ImmutableList<SharingOptions> SHARINGS =
      ImmutableList.of(
          new SharingOptions(SharingOptions.Policy.BEST, SharingOptions.Level.FIT, true),
          new SharingOptions(SharingOptions.Policy.POOL, SharingOptions.Level.FIT, true),
          new SharingOptions(SharingOptions.Policy.GLOBAL, SharingOptions.Level.FIT, true),
          new SharingOptions(SharingOptions.Policy.POOL, SharingOptions.Level.EXACT, false),
          new SharingOptions(SharingOptions.Policy.GLOBAL, SharingOptions.Level.EXACT, true));

  private static TranspileOptions options(long seed) {
    return DEFAULTS.withSharing(SHARINGS.get(Math.floorMod(seed, SHARINGS.size())));
  }

  /** A random program, with views or without. */
  private record Seed(long seed, int size, boolean views) {}

  /**
   * Programs in which loops moved what a validator then refused: names that inner blocks declare
   * again, sizes that differ from iteration to iteration, blocks that are not followed, exclusive
   * results that are read elsewhere under another name, loops that are left from inside, scopes
   * that a gradient walks, places of variables of different blocks, feeds whose first value moves,
   * observed names and declared in a body again, loops in recurrent blocks, operators that get
   * tensors without elements in some iterations.
   */
  private static final ImmutableList<Seed> HARD =
      ImmutableList.of(
          new Seed(97, 27, true),
          new Seed(110, 27, true),
          new Seed(33, 9, true),
          new Seed(136, 25, false),
          new Seed(902, 31, false),
          new Seed(1127, 28, false),
          new Seed(1415, 21, true),
          new Seed(21, 11, false),
          new Seed(-2873, 13, false),
          new Seed(676, 33, true),
          new Seed(9124, 28, true),
          new Seed(5583, 13, true),
          new Seed(8198, 26, false),
          new Seed(-82032993, 29, false),
          new Seed(4759565152768630600L, 24, false),
          new Seed(3391, 34, true),
          new Seed(374479918, 28, true),
          new Seed(1140539979, 25, true),
          new Seed(431, 24, true),
          new Seed(-76114876498398198L, 15, true),
          new Seed(-199035015854446637L, 23, false),
          new Seed(-2775168266451288584L, 33, true),
          new Seed(-1088544905821L, 28, false),
          new Seed(1212111972, 29, true),
          new Seed(938905381, 17, true),
          new Seed(9934, 23, true),
          new Seed(12328, 20, true));

  @Example
  void hardPrograms_areProved() {
    for (Seed each : HARD) {
      Program program =
          each.views()
              ? RandomPrograms.generateWithViews(each.seed(), each.size())
              : RandomPrograms.generate(each.seed(), each.size());
      for (TranspileOptions options :
          ImmutableList.of(DEFAULTS, options(each.seed()), DEFAULTS.withLoops(LoopMode.UNROLL))) {
        Fallbacks.assertNone(Transpiler.plan(program, options).diagnostics(), each.toString());
        Fallbacks.assertNone(Transpiler.transpile(program, options).diagnostics(), each.toString());
      }
    }
  }

  /** A declaration that contradicts a rule in one pass over a loop; a bound above all values. */
  @Example
  void copiesOfValuesOfSeveralSizes_showTheSameValues() {
    for (Seed each :
        ImmutableList.of(new Seed(-1632004743, 31, false), new Seed(-1706710, 13, false))) {
      Program program = RandomPrograms.generate(each.seed(), each.size());
      assertPlanShowsTheSameValues(program, Transpiler.plan(program, DEFAULTS).plan(), each.seed());
    }
  }

  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void rewrittenProgram_showsTheSameValues(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int size) {
    Program original = RandomPrograms.generate(seed, size);
    TranspileResult result = Transpiler.transpile(original, options(seed));
    Fallbacks.assertNone(result.diagnostics(), ProgramText.print(original));
    Program rewritten = result.program();
    for (Simulator simulator : Trial.simulators(original, seed)) {
      Observations expected = simulator.run(original);
      assertWithMessage(ProgramText.print(original) + "becomes\n" + ProgramText.print(rewritten))
          .that(simulator.run(rewritten, original).differencesFrom(expected))
          .isEmpty();
    }
  }

  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void plans_showTheSameValues(@ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int size) {
    Program original = RandomPrograms.generate(seed, size);
    TranspileResult result = Transpiler.transpile(original, options(seed));
    PlanResult planned = Transpiler.plan(original, options(seed));
    Fallbacks.assertNone(result.diagnostics(), ProgramText.print(original));
    Fallbacks.assertNone(planned.diagnostics(), ProgramText.print(original));
    assertPlanShowsTheSameValues(original, planned.plan(), seed);
    assertPlanShowsTheSameValues(result.program(), result.plan(), seed);
  }

  /** Operators with blocks that are not operators for control flow. */
  @Property(tries = 150)
  @AddLifecycleHook(LongForm.class)
  void operatorsWithBlocks_haveNoFault(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 40) int size) {
    Program program = OpaquePrograms.generate(seed, size);
    TrialOptions options = TrialOptions.random(new SplittableRandom(seed));
    assertWithMessage("%s\n%s", options, ProgramText.print(program))
        .that(new Trial(program, options, seed).fault())
        .isEmpty();
  }

  /** Every kind of view, with alignments at which parts can be views and with others. */
  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void plansWithViews_showTheSameValues(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int size) {
    Program original = RandomPrograms.generateWithViews(seed, size);
    for (Views views : Views.values()) {
      long alignment = ImmutableList.of(1L, 16L, 32L, 64L).get(Math.floorMod(seed, 4));
      TranspileOptions options =
          options(seed)
              .withOffsets(
                  new OffsetOptions(
                          OffsetOptions.defaults().planner(), alignment, seed % 3 != 0, views)
                      .withSearch(FEW_NODES)
                      .withHierarchical(seed % 5 == 0));
      PlanResult planned = Transpiler.plan(original, options);
      MemoryPlan direct = planned.plan();
      TranspileResult result = Transpiler.transpile(original, options);
      Fallbacks.assertNone(planned.diagnostics(), ProgramText.print(original));
      Fallbacks.assertNone(result.diagnostics(), ProgramText.print(original));
      for (MemoryPlan plan : ImmutableList.of(direct, result.plan())) {
        assertWithMessage(ProgramText.print(original))
            .that(plan.arenaBytes())
            .isAtLeast(plan.lowerBound());
      }
      assertPlanShowsTheSameValues(original, direct, seed);
      assertPlanShowsTheSameValues(result.program(), result.plan(), seed);
    }
  }

  /** Two memories of a few buffers each, and one for the rest; block by block or not. */
  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void plansInPools_showTheSameValues(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int size) {
    Program original = RandomPrograms.generateWithViews(seed, size);
    ImmutableList<Pool> pools =
        ImmutableList.of(
            new Pool("small", 1 + Math.floorMod(seed, 300)),
            new Pool("middle", 100),
            new Pool("rest", Pool.UNLIMITED));
    TranspileOptions options =
        options(seed)
            .withOffsets(
                new OffsetOptions("greedy-size", 16, seed % 3 != 0, Views.ALL)
                    .withPools(pools)
                    .withOrder(seed % 5 == 1 ? ExecutionOrder.PARALLEL : ExecutionOrder.SEQUENTIAL)
                    .withHierarchical(seed % 5 == 0));
    MemoryPlan plan = Transpiler.plan(original, options).plan();
    for (Arena arena : plan.arenas()) {
      assertThat(arena.bytes()).isAtMost(arena.capacity());
      assertThat(arena.lowerBound()).isAtMost(arena.bytes());
    }
    assertPlanShowsTheSameValues(original, plan, seed);
  }

  /** Allowing more views never needs more bytes, and never raises what is claimed to be needed. */
  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void moreViews_neverNeedMore(@ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int size) {
    Program original = RandomPrograms.generateWithViews(seed, size);
    long arena = Long.MAX_VALUE;
    long bound = Long.MAX_VALUE;
    for (Views views : Views.values()) {
      OffsetOptions offsets = new OffsetOptions("greedy-size", 32, /* inPlace= */ true, views);
      MemoryPlan plan =
          Transpiler.plan(original, options(seed).withOffsets(offsets).withLoops(LoopMode.COPY))
              .plan();
      if (!plan.stepArenas().isEmpty()) {
        return; // what fills the gaps of a step arena takes bytes from the other arenas
      }
      assertThat(plan.arenaBytes()).isAtMost(arena);
      assertThat(plan.lowerBound()).isAtMost(bound);
      arena = plan.arenaBytes();
      bound = plan.lowerBound();
    }
  }

  /** Views or no views: what the validator accepts when something was moved is right. */
  @Property(tries = 200)
  @AddLifecycleHook(LongForm.class)
  void planValidator_acceptsNoWrongViews(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 25) int size) {
    Program original = RandomPrograms.generateWithViews(seed, size);
    OffsetOptions offsets = new OffsetOptions("greedy-size", 16, /* inPlace= */ true, Views.ALL);
    TranspileOptions options = TranspileOptions.defaults().withOffsets(offsets);
    MemoryPlan plan = Transpiler.plan(original, options).plan();
    if (plan.allocations().isEmpty()) {
      return;
    }
    MemoryPlan moved = moveOne(plan, new Random(seed));
    if (Verifier.verifyPlan(original, moved, options).isValid()) {
      assertPlanShowsTheSameValues(original, moved, seed);
    }
  }

  /** In the plan's arenas the program shows what it shows with memory of its own for each name. */
  private static void assertPlanShowsTheSameValues(Program program, MemoryPlan plan, long seed) {
    Sizes sizes = InferredSizes.of(program);
    for (Simulator simulator : Trial.simulators(program, seed)) {
      Simulator statically = simulator.withStaticShapes().withViews(sizes);
      assertWithMessage(ProgramText.print(program) + plan)
          .that(statically.run(program, plan).differencesFrom(statically.run(program)))
          .isEmpty();
    }
  }

  @Property(tries = 80)
  @AddLifecycleHook(LongForm.class)
  void secondRun_neverMakesAProgramLarger(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int size) {
    TranspileResult first =
        Transpiler.transpile(RandomPrograms.generate(seed, size), options(seed));
    TranspileResult second = Transpiler.transpile(first.program(), options(seed));
    assertThat(second.sharing().bytesAfter()).isAtMost(second.sharing().bytesBefore());
    assertThat(second.program().variableCount()).isAtMost(first.program().variableCount());
  }

  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void sameInput_givesTheSameBytes(@ForAll long seed) {
    Program original = RandomPrograms.generate(seed, 30);
    TranspileResult first = Transpiler.transpile(original, options(seed));
    TranspileResult second =
        Transpiler.transpile(ProgramReader.parse(bytes(original), "again"), options(seed));
    assertThat(bytes(second.program())).isEqualTo(bytes(first.program()));
    assertThat(second.plan()).isEqualTo(first.plan());
  }

  private static byte[] bytes(Program program) {
    return ProgramWriter.toBytes(program, ProgramFormat.BINARY, new DiagnosticLog());
  }

  /** Whatever the rewrite validator lets pass must show the same values, however it was made. */
  @Property(tries = 300)
  @AddLifecycleHook(LongForm.class)
  void rewriteValidator_acceptsNoWrongRenaming(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 25) int size) {
    Program original = RandomPrograms.generate(seed, size);
    Random random = new Random(seed);
    ProgramEditor editor = ProgramEditor.of(original);
    for (int i = 0; i <= random.nextInt(2); i++) {
      Block block = original.block(random.nextInt(original.blocks().size()));
      if (block.variables().size() > 1) {
        Variable a = block.variables().get(random.nextInt(block.variables().size()));
        Variable b = block.variables().get(random.nextInt(block.variables().size()));
        editor.merge(a.index(), b.index());
      }
    }
    Program renamed;
    try {
      renamed = editor.build();
    } catch (RuntimeException malformed) {
      return; // Two merges in a row may leave a name that nothing declares.
    }
    if (Verifier.verify(original, renamed, TranspileOptions.defaults()).isValid()) {
      for (Simulator simulator : Trial.simulators(original, seed)) {
        assertWithMessage(ProgramText.print(original) + "becomes\n" + ProgramText.print(renamed))
            .that(simulator.run(renamed, original).differencesFrom(simulator.run(original)))
            .isEmpty();
      }
    }
  }

  /** Whatever the plan validator lets pass must show the same values, however it was made. */
  @Property(tries = 200)
  @AddLifecycleHook(LongForm.class)
  void planValidator_acceptsNoWrongOffsets(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 25) int size) {
    Program original = RandomPrograms.generate(seed, size);
    MemoryPlan plan = Transpiler.plan(original, DEFAULTS).plan();
    if (plan.allocations().isEmpty()) {
      return;
    }
    MemoryPlan moved = moveOne(plan, new Random(seed));
    if (Verifier.verifyPlan(original, moved, TranspileOptions.defaults()).isValid()) {
      assertPlanShowsTheSameValues(original, moved, seed);
    }
  }

  private static MemoryPlan moveOne(MemoryPlan plan, Random random) {
    List<Allocation> allocations = new ArrayList<>(plan.allocations());
    int index = random.nextInt(allocations.size());
    Allocation victim = allocations.get(index);
    Allocation target = allocations.get(random.nextInt(allocations.size()));
    allocations.set(
        index,
        new Allocation(
            victim.variable(), victim.arena(), target.offset(), victim.bytes(), victim.live()));
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.arenas(),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases());
  }
}
