package dev.sublet.verify.rewrite;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.Trial;
import dev.sublet.testing.TrialOptions;
import dev.sublet.testing.mutate.Mutants;
import dev.sublet.testing.mutate.RewriteMutations;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.Optional;
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

  private static final int ALL_PROGRAMS = 400;
  private static final int PROGRAMS = LongForm.tries(/* usual= */ 120, ALL_PROGRAMS);
  private static final int CHANGES = 12;

  private static Program program(int seed) {
    return RandomPrograms.generate(seed, 3 + seed % 20);
  }

  @Test
  void acceptedRewritings_showTheSameValues() {
    int accepted = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Program original = program(seed);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < CHANGES; i++) {
        Optional<Program> changed = Mutants.rewriting(original, random);
        if (changed.isPresent() && isAccepted(original, changed.get())) {
          accepted++;
          assertWithMessage(
                  ProgramText.print(original) + "becomes\n" + ProgramText.print(changed.get()))
              .that(trial(original, seed).rewriteFault(changed.get()))
              .isEmpty();
        }
      }
    }
    assertThat(accepted).isGreaterThan(PROGRAMS / 4);
  }

  private static Trial trial(Program program, long seed) {
    return new Trial(program, TrialOptions.defaults(), seed);
  }

  private static boolean isAccepted(Program original, Program changed) {
    try {
      return Verifier.verify(original, changed, TranspileOptions.defaults()).isValid();
    } catch (ProgramException malformed) {
      return false; // A gradient that comes too early.
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = RewriteMutations.Kind.class,
      names = {"CHANGE_ATTRIBUTE", "CHANGE_BLOCK_LINK", "CHANGE_DECLARATION"})
  void changesThatAreNeverRight_areRejected(RewriteMutations.Kind kind) {
    int rejected = 0;
    for (int seed = 0; seed < ALL_PROGRAMS; seed++) {
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
            .that(Verifier.verify(original, changed, TranspileOptions.defaults()).isValid())
            .isFalse();
      }
    }
    assertThat(rejected).isGreaterThan(ALL_PROGRAMS / 4);
  }

  @Test
  void acceptedPlans_showTheSameValues() {
    int accepted = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Program original = program(seed);
      MemoryPlan plan = Transpiler.plan(original, TranspileOptions.defaults()).plan();
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < CHANGES; i++) {
        Optional<MemoryPlan> changed = Mutants.plan(plan, random);
        if (changed.isPresent()
            && Verifier.verifyPlan(original, changed.get(), TranspileOptions.defaults())
                .isValid()) {
          accepted++;
          assertWithMessage(ProgramText.print(original) + changed.get())
              .that(trial(original, seed).differences(original, changed.get()))
              .isEmpty();
        }
      }
    }
    assertThat(accepted).isGreaterThan(PROGRAMS / 4);
  }
}
