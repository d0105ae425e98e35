package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.ByteOccupants;
import dev.sublet.plan.ByteOccupants.Occupant;
import dev.sublet.plan.ByteOccupants.Relation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.report.VariableReport;
import dev.sublet.sharing.LeftAlone;
import dev.sublet.sharing.Sharing;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingReason;
import dev.sublet.sharing.SharingReason.Outcome;
import dev.sublet.sharing.SharingReasons;
import dev.sublet.testing.random.RandomPrograms;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What is said of each variable of random programs, against what was done to them. */
final class ExplanationPropertyTest {

  private static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withOffsets(
              OffsetOptions.defaults()
                  .withSearch(new PlannerOptions(200, /* timeoutMillis= */ 0, BufferOrder.SIZE)));

  @Provide
  Arbitrary<RandomPrograms.Sample> samples() {
    return RandomPrograms.samples();
  }

  @Property(tries = 100)
  void reasonsAgreeWithWhatSharingDid(@ForAll("samples") RandomPrograms.Sample sample) {
    Explanation explanation = Explanation.of(sample.program(), OPTIONS);
    Sharing sharing = explanation.names().sharing();
    Set<VariableId> shares = new HashSet<>(sharing.renamings().keySet());
    shares.addAll(sharing.renamings().values());
    ImmutableMap<VariableId, String> alone =
        sharing.leftAlone().stream()
            .collect(ImmutableMap.toImmutableMap(LeftAlone::variable, LeftAlone::reason));
    for (Variable variable : explanation.shared().program().variables()) {
      SharingReason reason = explanation.names().of(variable.index());
      assertThat(reason.outcome() == Outcome.SHARES).isEqualTo(shares.contains(variable.id()));
      if (reason.outcome() == Outcome.LEFT_ALONE && alone.containsKey(variable.id())) {
        assertThat(reason.words()).isEqualTo(alone.get(variable.id()));
      }
      if (reason.outcome() == Outcome.INTERFERES) {
        checkThatNamesCollide(explanation, variable, reason);
      }
      if (reason.outcome() == Outcome.SHARES) {
        checkMembers(explanation, variable, reason);
      }
    }
  }

  /** Every other member of the class is in a group that the variable meets no less. */
  private static void checkThatNamesCollide(
      Explanation explanation, Variable variable, SharingReason reason) {
    SharingReason.Closest closest = reason.closest().orElseThrow();
    Variable other = explanation.shared().program().variable(closest.variable());
    assertThat(other.block()).isEqualTo(variable.block());
    assertThat(closest.group()).contains(other.index());
    assertThat(closest.group()).doesNotContain(variable.index());
    assertThat(closest.begin()).isLessThan(closest.end());
    assertThat(closest.points()).isAtLeast((long) closest.end() - closest.begin());
    assertThat(explanation.shared().sizes().dataType(variable.index()))
        .isEqualTo(explanation.shared().sizes().dataType(other.index()));
  }

  private static void checkMembers(
      Explanation explanation, Variable variable, SharingReason reason) {
    Sharing sharing = explanation.names().sharing();
    VariableId giver = sharing.renamings().getOrDefault(variable.id(), variable.id());
    Set<VariableId> expected = new TreeSet<>();
    expected.add(giver);
    sharing
        .renamings()
        .forEach(
            (from, to) -> {
              if (to.equals(giver)) {
                expected.add(from);
              }
            });
    Set<VariableId> members = new TreeSet<>();
    for (SharingReason.Member member : reason.members()) {
      members.add(explanation.shared().program().variable(member.variable()).id());
    }
    assertThat(members).containsExactlyElementsIn(expected);
  }

  @Property(tries = 100)
  void occupantsAreWhoHasTheSameBytes(@ForAll("samples") RandomPrograms.Sample sample) {
    MemoryPlan plan = Transpiler.plan(sample.program(), OPTIONS).plan();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < plan.allocations().size(); i++) {
      all.add(i);
    }
    ImmutableList<ByteOccupants> found = ByteOccupants.find(plan, all);
    for (int a = 0; a < all.size(); a++) {
      for (int b = 0; b < all.size(); b++) {
        if (a != b && isStatic(plan, a) && isStatic(plan, b)) {
          check(plan, a, b, found.get(a));
        }
      }
      boolean isAlone = found.get(a).occupants().isEmpty();
      assertWithMessage("%s has either", a)
          .that(found.get(a).closest().isEmpty() || isAlone)
          .isTrue();
    }
  }

  private static boolean isStatic(MemoryPlan plan, int index) {
    return plan.allocations().get(index).views().isEmpty();
  }

  private static void check(MemoryPlan plan, int a, int b, ByteOccupants found) {
    Allocation own = plan.allocations().get(a);
    Allocation other = plan.allocations().get(b);
    long common =
        Math.min(own.offset() + own.bytes(), other.offset() + other.bytes())
            - Math.max(own.offset(), other.offset());
    boolean expected = own.arena() == other.arena() && common > 0;
    Occupant occupant = null;
    for (Occupant each : found.occupants()) {
      occupant = each.allocation() == b ? each : occupant;
    }
    assertWithMessage("%s and %s", own, other).that(occupant != null).isEqualTo(expected);
    if (occupant != null) {
      assertThat(occupant.bytes()).isEqualTo(common);
      boolean together =
          occupant.relation() == Relation.ALIAS || occupant.relation() == Relation.ALIAS_OF_ALIAS;
      assertThat(together).isEqualTo(overlap(own, other));
    }
  }

  private static boolean overlap(Allocation a, Allocation b) {
    for (Interval left : a.live()) {
      for (Interval right : b.live()) {
        if (left.overlaps(right)) {
          return true;
        }
      }
    }
    return false;
  }

  @Property(tries = 60)
  void everyVariableCanBeExplained(@ForAll("samples") RandomPrograms.Sample sample) {
    Explanation explanation = Explanation.of(sample.program(), OPTIONS);
    ImmutableList.Builder<Integer> all = ImmutableList.builder();
    for (Variable variable : sample.program().variables()) {
      all.add(variable.index());
    }
    VariableReport report =
        new VariableReport(explanation, all.build(), /* namesAreFixed= */ false);
    assertThat(report.text()).doesNotContain("null");
    assertThat(report.json()).endsWith("}\n");
  }

  /**
   * Of straight-line programs a name is occupied exactly while one of its occupants is live,
   * without graph passes: the closest group is recomputed point by point.
   */
  @Test
  void theClosestGroup_isTheOneMetAtTheFewestPoints() {
    // In place, a pair meets at a point that does not count.
    TranspileOptions options =
        OPTIONS.withSharing(
            new SharingOptions(
                SharingOptions.Policy.BEST,
                SharingOptions.Level.FIT,
                /* inPlace= */ false,
                SharingOptions.FusionMode.OFF));
    int checked = 0;
    for (long seed = 0; seed < 800; seed++) {
      Program program = RandomPrograms.generate(seed, 12);
      if (program.blocks().size() == 1) {
        checked += checkClosest(Explanation.of(program, options));
      }
    }
    assertThat(checked).isGreaterThan(30);
  }

  private static int checkClosest(Explanation explanation) {
    int checked = 0;
    SharingReasons names = explanation.names();
    for (Variable variable : explanation.shared().program().variables()) {
      SharingReason reason = names.of(variable.index());
      if (reason.outcome() != Outcome.INTERFERES) {
        continue;
      }
      checked++;
      SharingReason.Closest closest = reason.closest().orElseThrow();
      BitSet own = points(explanation, variable.index());
      BitSet common = new BitSet();
      closest.group().forEach(member -> common.or(points(explanation, member)));
      common.and(own);
      assertThat(closest.points()).isEqualTo(common.cardinality());
      assertThat(closest.begin()).isEqualTo(common.nextSetBit(0));
      assertThat(points(explanation, closest.variable()).get(closest.begin())).isTrue();
      for (Variable other : explanation.shared().program().variables()) {
        SharingReason otherReason = names.of(other.index());
        boolean isAlone = otherReason.members().isEmpty() && other.index() != variable.index();
        if (isAlone && areAlike(explanation, variable.index(), other.index(), otherReason)) {
          BitSet met = points(explanation, other.index());
          met.and(own);
          assertWithMessage("%s and %s", variable, other)
              .that((long) met.cardinality())
              .isAtLeast(closest.points());
        }
      }
    }
    return checked;
  }

  /** Whether nothing but time keeps two variables from one name, as far as can be told here. */
  private static boolean areAlike(
      Explanation explanation, int variable, int other, SharingReason otherReason) {
    ProgramFacts facts = explanation.shared();
    return otherReason.outcome() == Outcome.INTERFERES
        && facts.sizes().dataType(variable) == facts.sizes().dataType(other)
        && facts.sizes().measure(variable).isPresent()
        && facts.sizes().measure(variable).equals(facts.sizes().measure(other))
        && facts.sizes().isKnown(variable) == facts.sizes().isKnown(other)
        && facts.places().areSame(variable, other)
        && !facts.lod().carries(variable)
        && !facts.lod().carries(other)
        && !facts.liveness().observation().keepsName(variable)
        && !facts.liveness().observation().keepsName(other);
  }

  private static BitSet points(Explanation explanation, int variable) {
    BitSet points = new BitSet();
    LiveRanges ranges = explanation.shared().liveness().ranges();
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      for (Interval interval : ranges.intervals(web)) {
        points.set(interval.begin(), interval.end());
      }
    }
    return points;
  }
}
