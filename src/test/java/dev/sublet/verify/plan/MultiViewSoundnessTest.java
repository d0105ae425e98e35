package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.simulate.InPlaceRule;
import dev.sublet.testing.simulate.Observations;
import dev.sublet.testing.simulate.Schedule;
import dev.sublet.testing.simulate.Simulator;
import dev.sublet.testing.text.ProgramText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Random loops with random plans that move variables: what the validator accepts computes, in the
 * simulator and for all numbers of iterations up to twice the period and three, what separate
 * buffers would. The plans that follow the values are accepted; random changes of them are mostly
 * wrong, and whatever the simulator finds wrong the validator must have rejected.
 */
final class MultiViewSoundnessTest {

  private static final int PROGRAMS = LongForm.tries(/* usual= */ 120, /* all= */ 400);
  private static final int CHANGES = 5;

  private static final Pattern PLACE = Pattern.compile("(?<=[@\\[,; ])\\d+(?=[],;+])");
  private static final Pattern POINT = Pattern.compile("(?<=[ -])\\d+(?=[-\\n ])");

  private final OperatorCatalog catalog = OperatorCatalog.standard();

  @Test
  void plansThatFollowTheValues_areAcceptedAndRight() {
    for (int seed = 0; seed < PROGRAMS; seed++) {
      int depth = depth(seed);
      RandomRotation.Sample sample = RandomRotation.generate(new SplittableRandom(seed), depth);
      Program program = ProgramText.parse(sample.program());
      MemoryPlan plan = MultiViewPlans.parse(program, sample.plan());
      String text = "seed " + seed + "\n" + sample.program() + sample.plan();
      assertWithMessage(text)
          .that(MultiViewPlans.validate(program, plan).toString())
          .isEqualTo("valid");
      assertWithMessage(text).that(differences(program, plan, trips(sample, seed), seed)).isEmpty();
    }
  }

  @Test
  void whatIsAccepted_isRight() {
    int accepted = 0;
    int wrong = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomRotation.Sample sample = RandomRotation.generate(random, depth(seed));
      Program program = ProgramText.parse(sample.program());
      for (int change = 0; change < CHANGES; change++) {
        String text = sample.plan();
        for (int k = random.nextInt(3); k >= 0; k--) {
          text = change(text, random);
        }
        MemoryPlan plan;
        try {
          plan = MultiViewPlans.parse(program, text);
        } catch (IllegalArgumentException malformed) {
          continue; // an empty interval, or views without views
        }
        boolean valid = MultiViewPlans.validate(program, plan).isValid();
        List<String> differences = differences(program, plan, trips(sample, seed), seed);
        accepted += valid && !text.equals(sample.plan()) ? 1 : 0;
        wrong += differences.isEmpty() ? 0 : 1;
        if (valid) {
          assertWithMessage("seed " + seed + "\n" + sample.program() + text)
              .that(differences)
              .isEmpty();
        }
      }
    }
    assertThat(accepted).isGreaterThan(PROGRAMS / 4);
    assertThat(wrong).isGreaterThan(PROGRAMS);
  }

  private static int depth(int seed) {
    return seed % 24 == 0 ? 3 : seed % 3 == 0 ? 2 : 1;
  }

  /** Up to so many iterations; loops inside each other multiply them. */
  private static int trips(RandomRotation.Sample sample, int seed) {
    int all = 2 * sample.period() + 3;
    return depth(seed) == 1 ? all : Math.min(all, depth(seed) == 2 ? 9 : 4);
  }

  private ImmutableSet<InPlaceRule> inPlaceRules(Program program) {
    ImmutableSet.Builder<InPlaceRule> rules = ImmutableSet.builder();
    for (OperatorSpec spec : catalog.all()) {
      for (InPlacePair pair : catalog.inPlacePairs(spec, program.version())) {
        rules.add(new InPlaceRule(spec.type(), pair.input(), pair.output()));
      }
    }
    return rules.build();
  }

  @Test
  void loopsNestedSixDeep_areFast() {
    for (int seed = 0; seed < 3; seed++) {
      RandomRotation.Sample sample = RandomRotation.generate(new SplittableRandom(seed), 6);
      Assertions.assertTimeout(
          Duration.ofSeconds(60),
          () ->
              assertThat(MultiViewPlans.validate(sample.program(), sample.plan()).toString())
                  .isEqualTo("valid"));
    }
  }

  /** What a run in the plan's arena shows otherwise than one in separate buffers. */
  private List<String> differences(Program program, MemoryPlan plan, int maximum, long seed) {
    ImmutableSet<InPlaceRule> rules = inPlaceRules(program);
    Sizes sizes = InferredSizes.of(program);
    List<Schedule> schedules = new ArrayList<>();
    for (int trips = 0; trips <= maximum; trips++) {
      schedules.add(Schedule.of(seed).withTrips(trips));
    }
    ImmutableList<Integer> various = ImmutableList.of(0, 1, 2, 3, 4, 5);
    schedules.add(new Schedule(seed, various));
    schedules.add(new Schedule(seed + 1, various));
    List<String> differences = new ArrayList<>();
    for (Schedule schedule : schedules) {
      Simulator simulator =
          Simulator.of(schedule).allowing(rules).withStaticShapes().withViews(sizes);
      Observations expected = simulator.run(program);
      assertThat(expected.definedCount()).isGreaterThan(0);
      for (String difference : simulator.run(program, plan).differencesFrom(expected)) {
        differences.add(schedule + ": " + difference);
      }
    }
    return differences;
  }

  /** One place, one point, a view more or less, a loop more or less, or a copy that must run. */
  private static String change(String plan, SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> replace(plan, PLACE, random, old -> "" + 64 * random.nextInt(20));
      case 2 -> replace(plan, POINT, random, old -> "" + (Integer.parseInt(old) + 1));
      case 3 -> replace(plan, POINT, random, old -> "" + Math.max(0, Integer.parseInt(old) - 1));
      case 4 -> replace(plan, Pattern.compile(",\\d+(?=[],])"), random, old -> "");
      case 5 -> replace(plan, Pattern.compile("(?<=\\d)]"), random, old -> ",64]");
      case 6 ->
          replace(
              plan, Pattern.compile("(?<=\\[\\d{1,9})[,;]"), random, MultiViewSoundnessTest::other);
      default -> replace(plan, Pattern.compile("stay \\S+ 64\\n"), random, old -> "");
    };
  }

  private static String other(String separator) {
    return separator.equals(",") ? ";" : ",";
  }

  private static String replace(
      String text, Pattern pattern, SplittableRandom random, UnaryOperator<String> replacement) {
    List<MatchResult> matches = pattern.matcher(text).results().toList();
    if (matches.isEmpty()) {
      return text;
    }
    MatchResult match = matches.get(random.nextInt(matches.size()));
    return text.substring(0, match.start())
        + replacement.apply(match.group())
        + text.substring(match.end());
  }
}
