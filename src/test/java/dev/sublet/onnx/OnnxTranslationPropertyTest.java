package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.PlanResult;
import dev.sublet.ScheduledModel;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.LongForm;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Random models and the programs that they are translated to compute the same, and have plans that
 * the validator accepts.
 */
final class OnnxTranslationPropertyTest {

  private static final int MODELS = LongForm.tries(/* usual= */ 1_000, /* all= */ 3_000);
  private static final int PLANNED = LongForm.tries(/* usual= */ 150, /* all= */ 500);
  private static final int INPUTS = 4;

  @Test
  void translations_computeWhatTheModelsDo() {
    int loops = 0;
    int branches = 0;
    for (long seed = 0; seed < MODELS; seed++) {
      ModelProto model = RandomModels.of(seed);
      Program program = OnnxModel.of(model).program();
      Map<Integer, Long> constants = ProgramEvaluator.constants(program);
      for (long inputs = 0; inputs < INPUTS; inputs++) {
        assertWithMessage("model %s with inputs %s:\n%s", seed, inputs, model)
            .that(ProgramEvaluator.run(program, constants, inputs))
            .isEqualTo(ModelEvaluator.run(model, inputs));
      }
      String text = model.toString();
      loops += text.contains("\"Loop\"") ? 1 : 0;
      branches += text.contains("\"If\"") ? 1 : 0;
    }
    assertWithMessage("models with loops").that(loops).isGreaterThan(MODELS / 3);
    assertWithMessage("models with branches").that(branches).isGreaterThan(MODELS / 3);
  }

  @Test
  void translationsOfShuffledModels_computeWhatTheModelsDo() {
    int moved = 0;
    for (long seed = 0; seed < MODELS; seed++) {
      ModelProto model = RandomModels.of(seed);
      OnnxModel shuffled = OnnxModel.of(ShuffledNodes.of(model, seed));
      moved += shuffled.warnings().isEmpty() ? 0 : 1;
      Program program = shuffled.program();
      Map<Integer, Long> constants = ProgramEvaluator.constants(program);
      for (long inputs = 0; inputs < INPUTS; inputs++) {
        assertWithMessage("model %s with inputs %s:\n%s", seed, inputs, model)
            .that(ProgramEvaluator.run(program, constants, inputs))
            .isEqualTo(ModelEvaluator.run(model, inputs));
      }
    }
    assertWithMessage("models that are not sorted").that(moved).isGreaterThan(MODELS / 2);
  }

  @Test
  void modelsWithConstantsInTheArena_computeTheSame() {
    int differing = 0;
    for (long seed = 0; seed < MODELS; seed++) {
      OnnxModel model = OnnxModel.of(RandomModels.of(seed));
      Program program = model.withConstantsInArena().program();
      differing += persistables(program) < persistables(model.program()) ? 1 : 0;
      Map<Integer, Long> constants = ProgramEvaluator.constants(program);
      for (long inputs = 0; inputs < INPUTS; inputs++) {
        assertWithMessage("model %s with inputs %s", seed, inputs)
            .that(ProgramEvaluator.run(program, constants, inputs))
            .isEqualTo(ModelEvaluator.run(model.toMessage(), inputs));
      }
    }
    assertWithMessage("models with computed constants").that(differing).isGreaterThan(10);
  }

  private static long persistables(Program program) {
    return program.variables().stream().filter(Variable::isPersistable).count();
  }

  @Test
  void scheduledModels_computeTheSame_inNoMoreBytes() {
    int reordered = 0;
    for (long seed = 0; seed < PLANNED; seed++) {
      OnnxModel model = OnnxModel.of(RandomModels.of(seed));
      TranspileOptions options = TranspileOptions.defaults();
      ScheduledModel scheduled = ScheduledModel.of(model, options, stage -> {});
      long before = Transpiler.plan(model.program(), options).plan().arenaBytes();
      long after = scheduled.result().plan().arenaBytes();
      assertWithMessage("model %s", seed).that(after).isAtMost(before);
      reordered += after < before ? 1 : 0;
      Program program = scheduled.model().program();
      Map<Integer, Long> constants = ProgramEvaluator.constants(program);
      for (long inputs = 0; inputs < INPUTS; inputs++) {
        assertWithMessage("model %s with inputs %s", seed, inputs)
            .that(ProgramEvaluator.run(program, constants, inputs))
            .isEqualTo(ModelEvaluator.run(model.toMessage(), inputs));
      }
    }
    assertWithMessage("models in another order").that(reordered).isAtLeast(5);
  }

  @Test
  void plansOfTranslations_areValid() {
    for (long seed = 0; seed < PLANNED; seed++) {
      Program program = OnnxModel.of(RandomModels.of(seed)).program();
      // Throws if the validator rejects it.
      PlanResult result = Transpiler.plan(program, TranspileOptions.defaults());
      Fallbacks.assertNone(result.diagnostics(), "model " + seed);
    }
  }
}
