package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.OracleTensors;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.SequencePrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Random programs over three texts, rewritten without the lengths of the texts, give equal bits in
 * the real Paddle, with and without its graph passes and its memory pass.
 */
final class RandomSequencesTest {

  private static final ImmutableList<Mode> MODES =
      ImmutableList.of(Mode.PLAIN, Mode.FUSED, Mode.FUSED_OPTIMIZING_MEMORY);

  @Test
  void namesForTypicalLengths_giveEqualBits() {
    PaddleRuntime.assumeAvailable();
    List<Model> models = new ArrayList<>();
    int shared = 0;
    for (int seed = 0; seed < LongForm.tries(25, 250); seed++) {
      Program program = SequencePrograms.generate(seed, 6 + seed % 25);
      Program rewritten = Transpiler.transpile(program, TranspileOptions.defaults()).program();
      shared += program.variableCount() - rewritten.variableCount();
      Model model = Model.withRandomParameters("sequences_" + seed, program, feeds(seed));
      models.add(model);
      models.add(model.with(rewritten));
    }
    assertThat(shared).isGreaterThan(models.size() * 4);
    for (Mode mode : MODES) {
      ImmutableList<PaddleBatch.Result> results = PaddleBatch.runModels(models, mode);
      for (int i = 0; i < results.size(); i += 2) {
        PaddleBatch.Result original = results.get(i).orThrow(models.get(i));
        assertWithMessage("%s, %s", models.get(i), mode)
            .that(results.get(i + 1).differencesFrom(original))
            .isEmpty();
      }
    }
  }

  private static Feeds feeds(long seed) {
    Feeds feeds = Feeds.none();
    ImmutableMap<String, LodTensor> texts = SequencePrograms.feeds(seed);
    for (Map.Entry<String, LodTensor> text : texts.entrySet()) {
      feeds = feeds.with(text.getKey(), OracleTensors.data(text.getValue()));
    }
    return feeds;
  }
}
