package dev.sublet.verify.rewrite;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.RunComparison;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.RotatingLoops;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Loops without copies: what is right is accepted and computes the same for every trip count, and
 * whatever is accepted of changed programs does too.
 */
final class UnrolledSoundnessTest {

  private static final Pattern NAME = Pattern.compile("\\b(x[0-9]|extra|t[0-9](_[0-9])?)\\b");

  private static ImmutableMap<String, LodTensor> feeds(int trips) {
    LodTensor a = LodTensor.of(RandomTensors.feed("a", 0, DataType.FP32, ImmutableLongArray.of(4)));
    Tensor n = RandomTensors.feed("n", 0, DataType.INT64, ImmutableLongArray.of(1));
    n.longs()[0] = trips;
    return ImmutableMap.of("a", a, "n", LodTensor.of(n));
  }

  /** What a program fetches, with a trip count; null if an operator does not accept its inputs. */
  private static @Nullable String results(Program program, int trips) {
    ExecutionResult result;
    try {
      result = Executor.run(program, feeds(trips), ImmutableMap.of(), ExecutionOptions.defaults());
    } catch (RuntimeException e) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    for (ExecutionResult.Output output : result.outputs()) {
      Tensor tensor = output.tensor().tensor();
      boolean isCount = output.tensor().tensor().shape().get(0) == 1;
      text.append(isCount ? Arrays.toString(tensor.longs()) : Arrays.toString(tensor.floats()));
    }
    return text.toString();
  }

  private static boolean isValid(Program original, Program unrolled) {
    return Verifier.verify(original, unrolled, TranspileOptions.defaults()).isValid();
  }

  @Test
  void rotatingLoops_areValidAndComputeTheSame() {
    for (int seed = 0; seed < 60; seed++) {
      RotatingLoops.Pair pair = RotatingLoops.generate(seed);
      Program original = ProgramText.parse(pair.original());
      Program unrolled = ProgramText.parse(pair.unrolled());
      assertWithMessage("%s\n%s", pair.original(), pair.unrolled())
          .that(Verifier.verify(original, unrolled, TranspileOptions.defaults()).toString())
          .isEqualTo("valid");
      for (int trips = 0; trips <= 2 * pair.copies() + 3; trips++) {
        String expected = results(original, trips);
        assertThat(expected).isNotNull();
        assertWithMessage("%s trips\n%s", trips, pair.unrolled())
            .that(results(unrolled, trips))
            .isEqualTo(expected);
      }
    }
  }

  /** Planning relies on it that a skipped copy ends the loop; planned programs must run as well. */
  @Test
  void unrolledPrograms_planned_giveEqualBits() {
    for (int seed = 0; seed < 40; seed++) {
      RotatingLoops.Pair pair = RotatingLoops.generate(seed);
      Program unrolled = ProgramText.parse(pair.unrolled());
      TranspileResult transpiled = Transpiler.transpile(unrolled, TranspileOptions.defaults());
      for (int trips = 0; trips <= 2 * pair.copies() + 1; trips++) {
        RunComparison comparison =
            RunComparison.run(
                transpiled,
                new RunComparison.RunInputs(feeds(trips), ImmutableMap.of()),
                ExecutionOptions.defaults(),
                step -> {});
        assertWithMessage("%s trips\n%s", trips, pair.unrolled())
            .that(comparison.isEqual())
            .isTrue();
      }
    }
  }

  @Test
  void changedPrograms_thatTheValidatorAccepts_computeTheSame() {
    SplittableRandom random = new SplittableRandom(7);
    int accepted = 0;
    int rejected = 0;
    int noticed = 0;
    int rounds = LongForm.tries(/* usual= */ 240, /* all= */ 700);
    for (int round = 0; round < rounds; round++) {
      RotatingLoops.Pair pair = RotatingLoops.generate(1000 + round % 100);
      String changed = change(pair.unrolled(), random);
      Program original = ProgramText.parse(pair.original());
      Program unrolled = parsed(changed);
      if (changed.equals(pair.unrolled()) || unrolled == null) {
        continue;
      }
      boolean valid = isValid(original, unrolled);
      boolean equal = true;
      for (int trips = 0; trips <= 2 * pair.copies() + 3; trips++) {
        equal &= String.valueOf(results(original, trips)).equals(results(unrolled, trips));
      }
      if (valid) {
        accepted++;
        assertWithMessage("%s\n---\n%s", pair.original(), changed).that(equal).isTrue();
      } else {
        rejected++;
        noticed += equal ? 0 : 1;
      }
    }
    assertWithMessage("accepted").that(accepted).isAtLeast(rounds / 35);
    assertWithMessage("noticed, of %s", rejected).that(noticed).isAtLeast(rejected / 3);
  }

  /** The program, or null if it uses a name that is not visible. */
  private static @Nullable Program parsed(String text) {
    try {
      return ProgramText.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Exchanges a name, takes an operator out, lets two change places, or changes a number. */
  private static String change(String text, SplittableRandom random) {
    List<String> lines = new ArrayList<>(Splitter.on('\n').omitEmptyStrings().splitToList(text));
    int at = random.nextInt(lines.size());
    String line = lines.get(at);
    boolean isStraight =
        line.contains(" = ") && !line.contains("less_than") && !line.contains("increment");
    boolean isNextStraight = at + 1 < lines.size() && lines.get(at + 1).contains(" = ");
    switch (random.nextInt(4)) {
      case 0 -> lines.set(at, isStraight ? renamed(line, text, random) : line);
      case 1 -> {
        if (isStraight) {
          lines.remove(at);
        }
      }
      case 2 -> {
        if (isStraight && isNextStraight) {
          Collections.swap(lines, at, at + 1);
        }
      }
      default -> lines.set(at, line.replaceAll("value: [0-9]", "value: " + random.nextInt(4)));
    }
    return String.join("\n", lines);
  }

  private static String renamed(String line, String text, SplittableRandom random) {
    List<MatchResult> spots = NAME.matcher(line).results().toList();
    if (spots.isEmpty()) {
      return line;
    }
    List<String> names =
        List.copyOf(new TreeSet<>(NAME.matcher(text).results().map(MatchResult::group).toList()));
    MatchResult spot = spots.get(random.nextInt(spots.size()));
    String name = names.get(random.nextInt(names.size()));
    return line.substring(0, spot.start()) + name + line.substring(spot.end());
  }
}
