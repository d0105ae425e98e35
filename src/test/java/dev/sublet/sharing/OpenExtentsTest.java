package dev.sublet.sharing;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
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
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.Trial;
import dev.sublet.testing.TrialOptions;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.random.OpenPrograms;
import dev.sublet.testing.random.SequencePrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.Test;

/**
 * Names that are chosen for a typical run of a program with open extents are right for all runs.
 */
final class OpenExtentsTest {

  @Property(tries = 150)
  @AddLifecycleHook(LongForm.class)
  void randomPrograms_haveNoFault(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int size) {
    Program program = OpenPrograms.generate(seed, size);
    TrialOptions options = TrialOptions.random(new SplittableRandom(seed));
    assertWithMessage("%s\n%s", options, ProgramText.print(program))
        .that(new Trial(program, options, seed).fault())
        .isEmpty();
  }

  /** The names suit 256 columns, the feeds of the run have 4 and 16. */
  @Test
  void otherShapes_giveEqualBits() {
    int shared = 0;
    for (int round = 0; round < 40; round++) {
      Program program = OpenPrograms.opened(ExecutablePrograms.generate(round, 5 + round), round);
      TranspileResult result = Transpiler.transpile(program, TranspileOptions.defaults());
      ExecutionResult original = run(program);
      ExecutionResult rewritten = run(result.program());
      assertWithMessage(ProgramText.print(program))
          .that(rewritten.outputs())
          .isEqualTo(original.outputs());
      shared += result.sharing().renamings().size();
    }
    assertThat(shared).isGreaterThan(300);
  }

  /** The names suit three texts of 256 words, the texts of the run have other lengths. */
  @Property(tries = 150)
  @AddLifecycleHook(LongForm.class)
  void textsOfOtherLengths_giveEqualBits(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int size) {
    Program program = SequencePrograms.generate(seed, size);
    TranspileOptions options = TrialOptions.random(new SplittableRandom(seed)).toTranspileOptions();
    Program rewritten = Transpiler.transpile(program, options).program();
    assertWithMessage(ProgramText.print(program))
        .that(run(rewritten, SequencePrograms.feeds(seed)).outputs())
        .isEqualTo(run(program, SequencePrograms.feeds(seed)).outputs());
    ShapeOptions given = shapes(SequencePrograms.feeds(seed));
    assertThat(Verifier.verify(program, rewritten, options.withShapes(given)).violations())
        .isEmpty();
  }

  private static ShapeOptions shapes(ImmutableMap<String, LodTensor> feeds) {
    ShapeOptions shapes = ShapeOptions.defaults();
    for (Map.Entry<String, LodTensor> feed : feeds.entrySet()) {
      LodTensor tensor = feed.getValue();
      shapes =
          shapes
              .withShape(feed.getKey(), tensor.tensor().shape().toArray())
              .withSequences(feed.getKey(), tensor.lod().toArray(new ImmutableLongArray[0]));
    }
    return shapes;
  }

  private static ExecutionResult run(Program program) {
    return run(
        program,
        ImmutableMap.of(
            "x",
            feed("x", ImmutableLongArray.of(4, 4)),
            "y",
            feed("y", ImmutableLongArray.of(16))));
  }

  private static ExecutionResult run(Program program, ImmutableMap<String, LodTensor> feeds) {
    return Executor.run(
        program, feeds, RandomTensors.parameters(program), ExecutionOptions.defaults());
  }

  private static LodTensor feed(String name, ImmutableLongArray shape) {
    return LodTensor.of(RandomTensors.feed(name, 0, DataType.FP32, shape));
  }
}
