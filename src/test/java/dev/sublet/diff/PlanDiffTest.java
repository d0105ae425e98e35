package dev.sublet.diff;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.diff.PlanDifference.AllocationChange;
import dev.sublet.diff.PlanDifference.Kind;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import dev.sublet.testing.random.RandomPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Plans of random programs against themselves, and against copies with one thing changed. */
final class PlanDiffTest {

  private static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withOffsets(
              OffsetOptions.defaults()
                  .withSearch(new PlannerOptions(0, /* timeoutMillis= */ 0, BufferOrder.SIZE)));

  @Provide
  Arbitrary<MemoryPlan> plans() {
    return RandomPrograms.samples()
        .map(sample -> Transpiler.plan(sample.program(), OPTIONS).plan());
  }

  private static MemoryPlan with(MemoryPlan plan, List<Allocation> allocations) {
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.order(),
        plan.arenas(),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases(),
        plan.copies());
  }

  private static Allocation changed(Allocation old, long offset, long bytes) {
    return new Allocation(old.variable(), old.arena(), offset, bytes, old.live(), old.views());
  }

  /** The only change of a plan that differs in allocations alone. */
  private static AllocationChange onlyChange(MemoryPlan before, MemoryPlan after) {
    PlanDifference difference = PlanDiff.between(before, after);
    assertThat(difference.facts()).isEmpty();
    assertThat(difference.arenas()).isEmpty();
    assertThat(difference.others()).isEmpty();
    assertThat(difference.isSame()).isFalse();
    assertThat(difference.allocations()).hasSize(1);
    return difference.allocations().get(0);
  }

  @Property(tries = 100)
  void aPlan_isTheSameAsItself(@ForAll("plans") MemoryPlan plan) {
    assertThat(PlanDiff.between(plan, with(plan, plan.allocations())).isSame()).isTrue();
  }

  @Property(tries = 100)
  void oneChange_isFound_andNothingElse(@ForAll("plans") MemoryPlan plan, @ForAll long seed) {
    Assume.that(!plan.allocations().isEmpty());
    int index = new Random(seed).nextInt(plan.allocations().size());
    Allocation old = plan.allocations().get(index);
    List<Allocation> moved = new ArrayList<>(plan.allocations());
    moved.set(index, changed(old, old.offset() + 64, old.bytes()));
    List<Allocation> grown = new ArrayList<>(plan.allocations());
    grown.set(index, changed(old, old.offset(), old.bytes() + 1));
    List<Allocation> gone = new ArrayList<>(plan.allocations());
    gone.remove(index);

    AllocationChange move = onlyChange(plan, with(plan, moved));
    AllocationChange growth = onlyChange(plan, with(plan, grown));
    AllocationChange shrinking = onlyChange(with(plan, grown), plan);
    AllocationChange removal = onlyChange(plan, with(plan, gone));
    AllocationChange addition = onlyChange(with(plan, gone), plan);

    assertThat(move.kinds()).containsExactly(Kind.MOVED);
    assertThat(move.before()).hasValue(old);
    assertThat(growth.kinds()).containsExactly(Kind.GROWN);
    assertThat(shrinking.kinds()).containsExactly(Kind.SHRUNK);
    assertThat(removal.kinds()).containsExactly(Kind.GONE);
    assertThat(removal.before()).hasValue(old);
    assertThat(addition.kinds()).containsExactly(Kind.NEW);
    assertThat(addition.after()).hasValue(old);
  }

  @Property(tries = 50)
  void everythingElse_isFoundToo(@ForAll("plans") MemoryPlan plan) {
    ImmutableList<Arena> arenas =
        ImmutableList.<Arena>builder()
            .addAll(plan.arenas())
            .add(new Arena("gpu", 128, 64, 64))
            .build();
    MemoryPlan other =
        new MemoryPlan(
            plan.programSha256(),
            "another",
            plan.batch() + 1,
            plan.order(),
            arenas,
            plan.allocations(),
            ImmutableList.of(new Unplanned(new VariableId(0, "unheard of"), "a test")),
            plan.aliases(),
            plan.copies());

    PlanDifference difference = PlanDiff.between(plan, other);

    assertThat(difference.facts())
        .containsExactly(
            "planner is another instead of " + plan.planner(),
            "batch is " + (plan.batch() + 1) + " instead of " + plan.batch());
    assertThat(difference.arenas()).hasSize(1);
    assertThat(difference.arenas().get(0).before()).isEqualTo(Optional.empty());
    assertThat(difference.allocations()).isEmpty();
    assertThat(difference.others()).contains("now: 0:unheard of has no offset: a test");
    assertThat(difference.others()).hasSize(plan.unplanned().size() + 1);
  }
}
