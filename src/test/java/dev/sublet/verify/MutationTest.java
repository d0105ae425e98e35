package dev.sublet.verify;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.InPlacePair;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.OperatorSpec;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.InPlaceRule;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.ProgramText;
import dev.sublet.testing.RandomPrograms;
import dev.sublet.testing.Schedule;
import dev.sublet.testing.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever the validators accept shows the same values when it is simulated, whoever made it.
 * Random changes are mostly wrong; enough of them are accepted for the test to mean something,
 * which is asserted. A rewritten program that the simulator cannot match with its original makes it
 * throw, so accepting one fails the test too.
 */
final class MutationTest {

  private static final int PROGRAMS = 400;
  private static final int CHANGES = 12;

  private static List<Simulator> simulators(Program program, long seed) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    ImmutableSet.Builder<InPlaceRule> rules = ImmutableSet.builder();
    for (OperatorSpec spec : catalog.all()) {
      for (InPlacePair pair : catalog.inPlacePairs(spec, program.version())) {
        rules.add(new InPlaceRule(spec.type(), pair.input(), pair.output()));
      }
    }
    List<Simulator> simulators = new ArrayList<>();
    for (int trips : new int[] {0, 1, 2, 5}) {
      Schedule schedule = Schedule.of(seed + trips).withTrips(trips);
      simulators.add(Simulator.of(schedule).allowing(rules.build()));
    }
    return simulators;
  }

  private static Program program(int seed) {
    return RandomPrograms.generate(seed, 3 + seed % 20);
  }

  @Test
  void acceptedRewritings_showTheSameValues() {
    RewriteMutations.Kind[] kinds = RewriteMutations.Kind.values();
    int accepted = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Program original = program(seed);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < CHANGES; i++) {
        RewriteMutations mutations = new RewriteMutations(random.nextLong());
        Program changed = original;
        boolean valid;
        try {
          for (int k = random.nextInt(3); k >= 0; k--) {
            // The first five rename, which is what is most often accepted.
            int kind = random.nextInt(random.nextInt(3) > 0 ? 5 : kinds.length);
            changed = mutations.apply(kinds[kind], changed);
          }
          valid = Transpiler.verify(original, changed, TranspileOptions.defaults()).isValid();
        } catch (ProgramException malformed) {
          continue; // A name that nothing declares, a cycle of blocks, a gradient put too early.
        }
        if (valid && !changed.toMessage().equals(original.toMessage())) {
          accepted++;
          for (Simulator simulator : simulators(original, seed)) {
            assertWithMessage(
                    ProgramText.print(original) + "becomes\n" + ProgramText.print(changed))
                .that(simulator.run(changed, original).differencesFrom(simulator.run(original)))
                .isEmpty();
          }
        }
      }
    }
    assertThat(accepted).isGreaterThan(PROGRAMS / 4);
  }

  @ParameterizedTest
  @EnumSource(
      value = RewriteMutations.Kind.class,
      names = {"CHANGE_ATTRIBUTE", "CHANGE_BLOCK_LINK", "CHANGE_DECLARATION"})
  void changesThatAreNeverRight_areRejected(RewriteMutations.Kind kind) {
    int rejected = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Program original = program(seed);
      Program changed;
      try {
        changed = new RewriteMutations(seed).apply(kind, original);
      } catch (ProgramException malformed) {
        continue;
      }
      if (!changed.toMessage().equals(original.toMessage())) {
        rejected++;
        assertWithMessage(ProgramText.print(original) + "becomes\n" + ProgramText.print(changed))
            .that(Transpiler.verify(original, changed, TranspileOptions.defaults()).isValid())
            .isFalse();
      }
    }
    assertThat(rejected).isGreaterThan(PROGRAMS / 4);
  }

  @Test
  void acceptedPlans_showTheSameValues() {
    PlanMutations.Kind[] kinds = PlanMutations.Kind.values();
    int accepted = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Program original = program(seed);
      MemoryPlan plan = Transpiler.plan(original, TranspileOptions.defaults()).plan();
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < CHANGES; i++) {
        PlanMutations mutations = new PlanMutations(random.nextLong());
        MemoryPlan changed = plan;
        for (int k = random.nextInt(3); k >= 0; k--) {
          changed = mutations.apply(kinds[random.nextInt(kinds.length)], changed);
        }
        if (!changed.equals(plan)
            && Transpiler.verifyPlan(original, changed, TranspileOptions.defaults()).isValid()) {
          accepted++;
          for (Simulator simulator : simulators(original, seed)) {
            Simulator statically =
                simulator.withStaticShapes().withViews(InferredSizes.of(original));
            assertWithMessage(ProgramText.print(original) + changed)
                .that(statically.run(original, changed).differencesFrom(statically.run(original)))
                .isEmpty();
          }
        }
      }
    }
    assertThat(accepted).isGreaterThan(PROGRAMS / 4);
  }
}
