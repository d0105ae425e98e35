package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.RunComparison;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.plan.Alias;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Caches of ONNX models that are one buffer before and after the run. */
final class OnnxAliasTest {

  /** Each line a model: its nodes, and the aliases that are right for it. */
  private static final List<String> MODELS =
      List.of(
          // The caches of a decoder with room for 8 steps, of which this is the fifth.
          """
          === grouped
          q in f[1,1,64]
          k in f[1,1,32]
          v in f[1,1,32]
          past.key in f[1,2,8,16]
          past.value in f[1,2,8,16]
          last const i32[1]=4
          total const i32[]=5
          y, present.key, present.value = com.microsoft.GroupQueryAttention q k v past.key past.value last total ; num_heads=4 kv_num_heads=2
          """,
          """
          === state
          past.h in f[1,2,8]
          x in f[3,2,4]
          w const f[1,24,4]=0.5
          r const f[1,24,8]=0.25
          y, h = GRU x w r _ _ past.h ; hidden_size=8
          present.h = Identity h
          """,
          """
          === window
          past.frames in f[4,8]
          x in f[1,8]
          from const i64[1]=1
          to const i64[1]=5
          axes const i64[1]=0
          all = Concat past.frames x ; axis=0
          present.frames = Slice all from to axes
          y = ReduceMean all
          """);

  private static TranspileOptions aliased(Program program) {
    ImmutableMap.Builder<String, String> aliases = ImmutableMap.builder();
    for (Variable variable : program.block(0).variables()) {
      if (variable.name().startsWith("past.")) {
        aliases.put(variable.name(), variable.name().replace("past", "present"));
      }
    }
    return TranspileOptions.defaults()
        .withObservation(
            new ObservationOptions(
                ImmutableSet.of(),
                ImmutableSet.of(),
                /* reuseFeeds= */ false,
                aliases.buildOrThrow()));
  }

  private static RunComparison.RunInputs inputs(OnnxModel model, OnnxText text) {
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    for (String name : text.inputs().keySet()) {
      Variable feed = model.program().variable(model.program().declared(0, name));
      TensorType type = feed.tensorType().orElseThrow();
      feeds.put(name, LodTensor.of(RandomTensors.feed(name, 0, type.dataType(), type.dims())));
    }
    return new RunComparison.RunInputs(feeds.buildOrThrow(), ModelParameters.read(model));
  }

  /** The offsets of feeds and results agree in the plan, and the bits in the poisoned arena. */
  @Test
  void aliases_arePlannedProvedAndRun() {
    for (String each : MODELS) {
      OnnxText text = OnnxText.parseAll(Splitter.on('\n').splitToList(each)).get(0);
      OnnxModel model = OnnxModel.of(text.model());
      TranspileOptions options = aliased(model.program());

      MemoryPlan plan = Transpiler.plan(model.program(), options).plan();

      long requested =
          plan.aliases().stream().filter(alias -> alias.kind().equals(Alias.REQUESTED)).count();
      assertThat(requested).isEqualTo(options.observation().aliases().size());
      assertThat(Verifier.verifyPlan(model.program(), plan, options).toString()).isEqualTo("valid");
      assertThat(Verifier.verifyPlan(model.program(), plan, TranspileOptions.defaults()).toString())
          .contains("is observed, but its");
      RunComparison run =
          RunComparison.run(
              model.program(), plan, inputs(model, text), ExecutionOptions.defaults(), step -> {});
      assertWithMessage("%s\n%s", run.forms(), each).that(run.isEqual()).isTrue();
    }
  }
}
