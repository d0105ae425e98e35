package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.simulate.InPlaceRule;
import dev.sublet.testing.simulate.Schedule;
import dev.sublet.testing.simulate.Simulator;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Plans of random programs some of whose allocations are made to move with random loops, and some
 * of whose copies are said to be unneeded: what is accepted shows the same values. Most is wrong;
 * enough is right for the test to mean something, which is asserted.
 */
final class MultiViewMutationTest {

  private static final int PROGRAMS = LongForm.tries(/* usual= */ 120, /* all= */ 400);
  private static final int CHANGES = 12;
  private static final int ALIGNMENT = 64;

  @Test
  void acceptedPlans_showTheSameValues() {
    int moving = 0;
    int skipping = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Program program = RandomPrograms.generate(seed, 8 + seed % 20);
      List<Integer> loops = loops(program);
      if (loops.isEmpty()) {
        continue;
      }
      MemoryPlan plan = Transpiler.plan(program, TranspileOptions.defaults()).plan();
      Sizes sizes = InferredSizes.of(program);
      SplittableRandom random = new SplittableRandom(seed);
      for (int change = 0; change < CHANGES && !plan.allocations().isEmpty(); change++) {
        MemoryPlan changed = change(program, sizes, plan, loops, random);
        if (!Verifier.verifyPlan(program, changed, TranspileOptions.defaults()).isValid()) {
          continue;
        }
        moving += changed.allocations().stream().anyMatch(a -> a.views().isPresent()) ? 1 : 0;
        skipping += changed.copies().isEmpty() ? 0 : 1;
        for (Simulator simulator : simulators(program, sizes, seed)) {
          assertWithMessage("seed " + seed + "\n" + ProgramText.print(program) + changed)
              .that(simulator.run(program, changed).differencesFrom(simulator.run(program)))
              .isEmpty();
        }
      }
    }
    assertThat(moving).isGreaterThan(PROGRAMS / 4);
    assertThat(skipping).isGreaterThan(PROGRAMS / 20);
  }

  private static List<Integer> loops(Program program) {
    List<Integer> blocks = new ArrayList<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (operation.type().equals("while")) {
          blocks.add(operation.blocks().get(0));
        }
      }
    }
    return blocks;
  }

  private static MemoryPlan change(
      Program program, Sizes sizes, MemoryPlan plan, List<Integer> loops, SplittableRandom random) {
    List<Allocation> allocations = new ArrayList<>(plan.allocations());
    List<UnneededCopy> copies = new ArrayList<>();
    for (int k = random.nextInt(3); k >= 0; k--) {
      int index = random.nextInt(allocations.size());
      Allocation moved = allocations.get(index);
      long end = plan.arenas().get(moved.arena()).bytes();
      end = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      allocations.set(index, withView(moved, view(moved, allocations, end, loops, 2, random)));
    }
    if (random.nextInt(3) == 0) {
      addCopy(program, sizes, allocations, copies, random);
    }
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    for (Arena arena : plan.arenas()) {
      // Room for two more of the largest allocation.
      long room = 4 * (arena.bytes() + ALIGNMENT);
      arenas.add(
          new Arena(
              arena.place(),
              room,
              arena.lowerBound(),
              arena.alignment(),
              arena.pool(),
              arena.traffic(),
              arena.stepOfBlock()));
    }
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.order(),
        arenas.build(),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases(),
        ImmutableList.copyOf(copies));
  }

  private static Allocation withView(Allocation allocation, MultiView view) {
    return new Allocation(
        allocation.variable(),
        allocation.arena(),
        view.offset(block -> 0),
        allocation.bytes(),
        allocation.live(),
        Optional.of(view));
  }

  /** A random view: of the allocation's own region, those of others, and some behind the arena. */
  private static MultiView view(
      Allocation moved,
      List<Allocation> others,
      long end,
      List<Integer> loops,
      int depth,
      SplittableRandom random) {
    if (depth == 0 || (depth == 1 && random.nextInt(3) > 0)) {
      Allocation other = others.get(random.nextInt(others.size()));
      return switch (random.nextInt(5)) {
        case 0 -> new MultiView.FixedView(other.offset());
        case 1, 2 -> new MultiView.FixedView(moved.offset());
        default -> new MultiView.FixedView(end * (1 + random.nextInt(2)));
      };
    }
    ImmutableList.Builder<MultiView> views = ImmutableList.builder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      views.add(view(moved, others, end, loops, depth - 1, random));
    }
    Optional<MultiView> first =
        random.nextInt(3) == 0
            ? Optional.of(view(moved, others, end, loops, depth - 1, random))
            : Optional.empty();
    return new MultiView.Rotation(loops.get(random.nextInt(loops.size())), first, views.build());
  }

  /** Says of an assignment that it is not needed, and puts its target where its source is. */
  private static void addCopy(
      Program program,
      Sizes sizes,
      List<Allocation> allocations,
      List<UnneededCopy> copies,
      SplittableRandom random) {
    List<Operation> assignments = new ArrayList<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        boolean named = operation.inputCount() == 1 && operation.outputCount() == 1;
        if (operation.type().equals("assign")
            && named
            && operation.input(0) >= 0
            && operation.output(0) >= 0) {
          assignments.add(operation);
        }
      }
    }
    if (assignments.isEmpty()) {
      return;
    }
    Operation copy = assignments.get(random.nextInt(assignments.size()));
    VariableId from = program.variable(copy.input(0)).id();
    VariableId to = program.variable(copy.output(0)).id();
    copies.add(
        new UnneededCopy(
            copy.block(), copy.index(), from, to, Math.max(0, sizes.bytes(copy.output(0)))));
    for (int source = 0; source < allocations.size(); source++) {
      for (int target = 0; target < allocations.size(); target++) {
        if (allocations.get(source).variable().equals(from)
            && allocations.get(target).variable().equals(to)) {
          Allocation there = allocations.get(source);
          Allocation here = allocations.get(target);
          allocations.set(
              target,
              new Allocation(
                  to, there.arena(), there.offset(), there.bytes(), here.live(), there.views()));
        }
      }
    }
  }

  private static List<Simulator> simulators(Program program, Sizes sizes, long seed) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    ImmutableSet.Builder<InPlaceRule> rules = ImmutableSet.builder();
    for (OperatorSpec spec : catalog.all()) {
      for (InPlacePair pair : catalog.inPlacePairs(spec, program.version())) {
        rules.add(new InPlaceRule(spec.type(), pair.input(), pair.output()));
      }
    }
    List<Schedule> schedules = new ArrayList<>();
    for (int trips : new int[] {0, 1, 2, 3, 5}) {
      schedules.add(Schedule.of(seed + trips).withTrips(trips));
    }
    schedules.add(new Schedule(seed + 6, ImmutableList.of(0, 1, 2, 3, 4)));
    schedules.add(new Schedule(seed + 7, ImmutableList.of(0, 1, 2, 3, 4)));
    List<Simulator> simulators = new ArrayList<>();
    for (Schedule schedule : schedules) {
      simulators.add(
          Simulator.of(schedule).allowing(rules.build()).withStaticShapes().withViews(sizes));
    }
    return simulators;
  }
}
