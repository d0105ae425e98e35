package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.FusedModels;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Programs that Paddle saves after its graph passes: they are read, shared and planned like others,
 * and give equal bits. {@link FusionTable} has the same for all programs.
 */
final class FusedModelsTest {

  /** The models whose fused form has operators that no other program has, or inner blocks. */
  private static final ImmutableSet<String> NAMES =
      ImmutableSet.of(
          "fc_repeated_fc_relu",
          "squared_mat_sub",
          "gru_lstm",
          "seqconv",
          "seqpool_cvm_concat",
          "seq_concat_fc",
          "first_branch",
          "nested_loops");

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  @Test
  void programsSavedAfterThePasses_rewritten_giveEqualBits() {
    List<Model> models = new ArrayList<>(FusedPrograms.all());
    models.addAll(MadePrograms.all());
    models.removeIf(model -> !NAMES.contains(model.name()));
    ImmutableList<Model> fused = FusedModels.of(models);

    assertThat(types(fused))
        .containsAtLeast(
            "conditional_block_infer",
            "fc",
            "fusion_gru",
            "fusion_lstm",
            "fusion_repeated_fc_relu",
            "fusion_seqconv_eltadd_relu",
            "fusion_seqexpand_concat_fc",
            "fusion_seqpool_cvm_concat",
            "fusion_squared_mat_sub",
            "while");
    fused.parallelStream().forEach(FusedModelsTest::assertEqualBits);
  }

  /** A pass for training makes these operators of sums and activations. */
  private static final Program SUMS_WITH_ACTIVATIONS =
      ProgramText.parse(
          """
          version 2003002
          default fp32[3,4]
          block 0
            feed x: fp32[3,4]
            feed y: fp32[3,4]
            a = tanh(x)
            b = tanh(y)
            (Out: c, IntermediateOut: i) = fused_elemwise_activation(X: a, Y: b) {axis: -1, \
          scale: 0.5, save_intermediate_out: true, functor_list: ["elementwise_add", "relu"]}
            (Out: d, IntermediateOut: j) = fused_elemwise_add_activation(X: x, Y: c) {axis: -1, \
          scale: 0.5, save_intermediate_out: true, functor_list: ["scale", "elementwise_add"]}
            fetch(d)
          """);

  @Test
  void sumsWithActivations_workInPlace_withEqualBits() {
    Feeds feeds = Feeds.none().withImage("x", 3, 4).withImage("y", 3, 4);
    Model model = Model.withRandomParameters("sums", SUMS_WITH_ACTIVATIONS, feeds);

    Program rewritten =
        Transpiler.transpile(model.program(), TranspileOptions.defaults()).program();
    for (Operation operation : rewritten.block(0).operations()) {
      if (operation.type().startsWith("fused_")) {
        assertThat(operation.countInputs(operation.output(operation.firstOutput("Out"))))
            .isEqualTo(1);
      }
    }
    assertEqualBits(model);
  }

  /**
   * The operators of the fused program write none of the names g1, r1, ... of the recurrences, but
   * write the name p4, and all run after the values beside them.
   */
  @Test
  void namesThatRecurrencesLose_canBeTakenAfterThem() {
    String lost = "g1 r1 k1 g2 r2 k2 g4 k4";
    Model model = FusedSequencePrograms.recurrentLayersBeside(lost + " p4");
    assertThat(types(FusedModels.of(List.of(model)))).containsAtLeast("fusion_gru", "fusion_lstm");
    Program program = model.program();
    Program allLost = withNames(program, lost);
    Program kept = withNames(program, "p4");

    assertThat(Verifier.verifyFusion(program, allLost).isValid()).isTrue();
    assertThat(Verifier.verifyFusion(program, kept).isValid()).isFalse();
    ImmutableList<PaddleBatch.Result> results =
        PaddleBatch.run(model, List.of(program, allLost, kept), Mode.FUSED);
    assertThat(results.get(1).differencesFrom(results.get(0))).isEmpty();
    assertThat(results.get(2).differencesFrom(results.get(0))).isNotEmpty();
  }

  /** The program in which the value beside each given name has that name. */
  private static Program withNames(Program program, String names) {
    ProgramEditor editor = ProgramEditor.of(program);
    for (String name : Splitter.on(' ').split(names)) {
      editor.merge(program.declared(0, "beside_" + name), program.declared(0, name));
    }
    return editor.build();
  }

  private static Set<String> types(List<Model> models) {
    Set<String> types = new TreeSet<>();
    for (Model model : models) {
      for (Operation operation : model.program().block(0).operations()) {
        types.add(operation.type());
      }
    }
    return types;
  }

  private static void assertEqualBits(Model model) {
    ImmutableList<PaddleBatch.Result> results =
        PaddleBatch.run(model, forms(model), Mode.OPTIMIZING_MEMORY);
    for (PaddleBatch.Result each : results) {
      assertWithMessage("%s", model).that(each.differencesFrom(results.get(0))).isEmpty();
    }
  }

  /** The program as Paddle saved it, and rewritten in three ways. */
  private static ImmutableList<Program> forms(Model model) {
    TranspileOptions open = TranspileOptions.defaults();
    TranspileOptions given = open.withShapes(model.feeds().shapeOptions());
    TranspileOptions off = given.withSharing(given.sharing().withFusion(FusionMode.OFF));
    return ImmutableList.of(
        model.program(),
        Transpiler.transpile(model.program(), open).program(),
        Transpiler.transpile(model.program(), given).program(),
        Transpiler.transpile(model.program(), off).program());
  }
}
