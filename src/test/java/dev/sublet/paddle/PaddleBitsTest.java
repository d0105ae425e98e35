package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Level;
import dev.sublet.sharing.SharingOptions.Policy;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A rewritten program gives the bits of the original in a real runtime, with Paddle's own memory
 * optimization off and on, and with its graph passes: the same outputs in name, type, shape,
 * sequences and every element.
 */
final class PaddleBitsTest {

  private static final ImmutableList<Mode> MODES =
      ImmutableList.of(Mode.PLAIN, Mode.OPTIMIZING_MEMORY, Mode.FUSED_OPTIMIZING_MEMORY);

  /** The runs of all made programs and their rewritten forms, in one process for each mode. */
  private static final Supplier<ImmutableMap<String, Forms>> FORMS =
      Suppliers.memoize(PaddleBitsTest::runAllForms);

  private static final String FOR_SHAPES = "fit, in place, for the shapes of these feeds";

  /** The forms of real programs that also run under graph passes: a run takes seconds. */
  private static final ImmutableSet<String> USUAL_FORMS =
      ImmutableSet.of("fit, in place", FOR_SHAPES);

  /** The forms of real programs: these, and the one that differs most from them. */
  private static final ImmutableSet<String> REAL_FORMS =
      ImmutableSet.of("fit, in place", FOR_SHAPES, "exact, without debug information");

  /** A program whose runs take seconds: the usual form runs it under graph passes alone. */
  private static final ImmutableSet<String> LONG = ImmutableSet.of("ppyoloe_l");

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  static List<Model> madePrograms() {
    return MadePrograms.all();
  }

  static List<String> corpus() {
    return CorpusModels.names();
  }

  @ParameterizedTest
  @MethodSource("madePrograms")
  void madeProgram_rewritten_givesEqualBits(Model model) {
    assertEqualBits(model);
  }

  static List<Model> fusedPrograms() {
    return FusedPrograms.all();
  }

  @ParameterizedTest
  @MethodSource("fusedPrograms")
  void fusedProgram_rewritten_givesEqualBits(Model model) {
    assertEqualBits(model);
  }

  /** Each pass that reports in Paddle's log finds something in at least one model. */
  @Test
  void fusedPrograms_makeEveryPassFindSomething() {
    Set<String> passes = new TreeSet<>();
    FiredPasses.byModel()
        .values()
        .forEach(each -> passes.add(each.substring(0, each.indexOf(' '))));
    assertThat(passes)
        .containsExactly(
            "conv_bn_fuse_pass",
            "conv_eltwiseadd_bn_fuse_pass",
            "conv_transpose_bn_fuse_pass",
            "conv_transpose_eltwiseadd_bn_fuse_pass",
            "fc_fuse_pass",
            "fc_gru_fuse_pass",
            "gpu_cpu_flatten2_matmul_fuse_pass",
            "gpu_cpu_map_matmul_to_mul_pass",
            "gpu_cpu_map_matmul_v2_to_matmul_pass",
            "gpu_cpu_map_matmul_v2_to_mul_pass",
            "gpu_cpu_reshape2_matmul_fuse_pass",
            "gpu_cpu_squeeze2_matmul_fuse_pass",
            "layer_norm_fuse_pass",
            "matmul_scale_fuse_pass",
            "matmul_v2_scale_fuse_pass",
            "mul_gru_fuse_pass",
            "mul_lstm_fuse_pass",
            "repeated_fc_relu_fuse_pass",
            "seq_concat_fc_fuse_pass",
            "seqconv_eltadd_relu_fuse_pass",
            "seqpool_cvm_concat_fuse_pass",
            "squared_mat_sub_fuse_pass");
  }

  /** Programs that are shared without regard to graph passes, and that Paddle then runs wrongly. */
  static List<Model> brokenByPasses() {
    ImmutableSet<String> names =
        ImmutableSet.of(
            "map_matmul", "matmul_scale", "squared_mat_sub", "seqpool_cvm_concat", "seqconv");
    List<Model> models = new ArrayList<>();
    models.add(theExampleOfTheDocuments());
    FusedPrograms.all().stream().filter(m -> names.contains(m.toString())).forEach(models::add);
    return models;
  }

  /** The worked example of docs/fusion.md. */
  private static Model theExampleOfTheDocuments() {
    Program program = ProgramReader.read(Path.of("testdata/examples/late_read/program.textproto"));
    return Model.withRandomParameters("late_read", program, Feeds.none().withImage("x", 1, 64));
  }

  /** The validator rejects a program that the runtime computes wrongly, and accepts a right one. */
  @ParameterizedTest
  @MethodSource("brokenByPasses")
  void fusionOff_isWrongUnderPasses_andTheValidatorSaysSo(Model model) {
    TranspileOptions safe = TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
    TranspileOptions off = safe.withSharing(safe.sharing().withFusion(FusionMode.OFF));
    Program wrong = Transpiler.transpile(model.program(), off).program();
    Program right = Transpiler.transpile(model.program(), safe).program();

    ImmutableList<PaddleBatch.Result> results =
        PaddleBatch.run(model, List.of(model.program(), wrong, right), Mode.FUSED);
    assertThat(results.get(1).differencesFrom(results.get(0))).isNotEmpty();
    assertThat(results.get(2).differencesFrom(results.get(0))).isEmpty();
    assertThat(Verifier.verifyFusion(model.program(), wrong).isValid()).isFalse();
    assertThat(Verifier.verifyFusion(model.program(), right).violations()).isEmpty();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("corpus")
  void realProgram_rewritten_givesEqualBits(String name) {
    Model model = CorpusModels.read(name);
    boolean isShort = LONG.contains(name) && !LongForm.isOn();
    ImmutableMap<String, Program> rewritten = rewrite(model, isShort ? USUAL_FORMS : REAL_FORMS);
    ImmutableMap<Mode, ImmutableMap<String, Program>> runs =
        isShort
            ? ImmutableMap.of(Mode.FUSED_OPTIMIZING_MEMORY, rewritten)
            : ImmutableMap.of(
                Mode.PLAIN, rewritten, Mode.FUSED_OPTIMIZING_MEMORY, only(USUAL_FORMS, rewritten));
    List<String> differences =
        runs.entrySet().parallelStream()
            .flatMap(run -> differences(model, run.getValue(), run.getKey()).stream())
            .toList();
    assertThat(differences).isEmpty();
  }

  /**
   * The loss and the gradients of {@code while_grad}. Paddle's graph passes and its own memory
   * optimization, which are for inference, break the original.
   */
  @Test
  void trainingProgram_rewritten_givesEqualBits() {
    Model model = MadePrograms.machineTranslation();
    ImmutableMap<String, Program> rewritten = rewrite(model);
    assertThat(rewritten.size()).isAtLeast(2);
    assertThat(differences(model, rewritten, Mode.PLAIN)).isEmpty();
  }

  static List<String> corpusOfSeveralShapes() {
    return CorpusModels.names().stream()
        .filter(CorpusInputs.programsOfSeveralShapes()::contains)
        .toList();
  }

  /** What is rewritten for one input is right for inputs of other shapes too. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("corpusOfSeveralShapes")
  void realProgram_rewrittenForOtherShapes_givesEqualBits(String name) {
    Model ordinary = CorpusModels.read(name);
    Model other = ordinary.withFeeds(CorpusInputs.otherOf(name));
    assertThat(differences(other, rewrite(ordinary, REAL_FORMS), Mode.PLAIN)).isEmpty();
  }

  /** What the judge is worth: it notices a value that is overwritten before its last use. */
  @Test
  void wronglySharedProgram_givesOtherBits() {
    Program program =
        ProgramText.parse(
            "version 2003002",
            "default fp32[4,4]",
            "block 0",
            "feed x: fp32[4,4]",
            "var w: fp32[4,4] persistable",
            "a = matmul_v2(x, w) {trans_x: false, trans_y: false}",
            "b = tanh(a)",
            "c = elementwise_add(b, a) {axis: -1}",
            "fetch(c)");
    Model model =
        Model.withRandomParameters("wrongly_shared", program, Feeds.none().withImage("x", 4, 4));
    int a = program.resolve(0, "a");
    int b = program.resolve(0, "b");
    Program wrong = ProgramEditor.of(program).merge(b, a).build();
    for (Mode mode : MODES) {
      List<PaddleBatch.Result> results = PaddleBatch.run(model, List.of(program, wrong), mode);
      assertThat(results.get(1).orThrow(model).differencesFrom(results.get(0).orThrow(model)))
          .isNotEmpty();
    }
  }

  /**
   * A model's rewritten programs, and the outputs of their runs.
   *
   * @param rewritten the rewritten programs, by variant
   * @param results for each mode: of the original, then of the rewritten programs
   */
  private record Forms(
      ImmutableMap<String, Program> rewritten,
      ImmutableListMultimap<Mode, PaddleBatch.Result> results) {}

  private static ImmutableMap<String, Forms> runAllForms() {
    List<Model> models = new ArrayList<>(MadePrograms.all());
    models.addAll(FusedPrograms.all());
    List<ImmutableMap<String, Program>> rewritten =
        models.parallelStream().map(PaddleBitsTest::rewrite).toList();
    List<Model> runs = new ArrayList<>();
    for (int i = 0; i < models.size(); i++) {
      runs.add(models.get(i));
      rewritten.get(i).values().stream().map(models.get(i)::with).forEach(runs::add);
    }
    List<ImmutableList<PaddleBatch.Result>> results =
        MODES.parallelStream().map(mode -> PaddleBatch.runModels(runs, mode)).toList();
    ImmutableMap.Builder<String, Forms> forms = ImmutableMap.builder();
    int first = 0;
    for (int i = 0; i < models.size(); i++) {
      int end = first + 1 + rewritten.get(i).size();
      ImmutableListMultimap.Builder<Mode, PaddleBatch.Result> own = ImmutableListMultimap.builder();
      for (int mode = 0; mode < MODES.size(); mode++) {
        own.putAll(MODES.get(mode), results.get(mode).subList(first, end));
      }
      forms.put(models.get(i).name(), new Forms(rewritten.get(i), own.build()));
      first = end;
    }
    return forms.buildOrThrow();
  }

  private static void assertEqualBits(Model model) {
    Forms forms = requireNonNull(requireNonNull(FORMS.get()).get(model.name()));
    assertWithMessage("programs in which names are shared").that(forms.rewritten()).isNotEmpty();
    List<String> differences = new ArrayList<>();
    for (Mode mode : MODES) {
      differences.addAll(differences(model, forms.rewritten(), mode, forms.results().get(mode)));
    }
    assertWithMessage("%s", model).that(differences).isEmpty();
  }

  /** Runs an original and its rewritten programs, and compares the results. */
  private static List<String> differences(
      Model model, ImmutableMap<String, Program> rewritten, Mode mode) {
    List<Program> programs = new ArrayList<>(List.of(model.program()));
    programs.addAll(rewritten.values());
    return differences(model, rewritten, mode, PaddleBatch.run(model, programs, mode));
  }

  private static List<String> differences(
      Model model,
      ImmutableMap<String, Program> rewritten,
      Mode mode,
      ImmutableList<PaddleBatch.Result> results) {
    PaddleBatch.Result original = results.get(0);
    assertWithMessage("%s", original.failure()).that(original.outputs()).isNotEmpty();
    if (mode.fuses() && FiredPasses.byModel().containsKey(model.name())) {
      assertWithMessage("passes of %s", model)
          .that(original.trace())
          .isEqualTo(FiredPasses.byModel().get(model.name()));
    }
    List<String> differences = new ArrayList<>();
    int i = 1;
    for (String variant : rewritten.keySet()) {
      for (String each : differences(results.get(i++), original)) {
        differences.add(mode + ", " + variant + ": " + each);
      }
    }
    return differences;
  }

  private static List<String> differences(PaddleBatch.Result actual, PaddleBatch.Result original) {
    List<String> differences = new ArrayList<>(actual.differencesFrom(original));
    if (differences.isEmpty() && !actual.trace().equals(original.trace())) {
      differences.add("passes " + actual.trace() + " instead of " + original.trace());
    }
    return differences;
  }

  private static ImmutableMap<String, Program> only(
      ImmutableSet<String> forms, ImmutableMap<String, Program> rewritten) {
    return ImmutableMap.copyOf(Maps.filterKeys(rewritten, forms::contains));
  }

  /** The different programs that the variants give, by the first variant that gives each. */
  private static ImmutableMap<String, Program> rewrite(Model model) {
    return rewrite(model, variants(model).keySet());
  }

  /** As {@link #rewrite(Model)}, with some of the variants. */
  private static ImmutableMap<String, Program> rewrite(Model model, Set<String> forms) {
    Set<String> seen = new HashSet<>(Set.of(ProgramWriter.sha256(model.program())));
    ImmutableMap.Builder<String, Program> rewritten = ImmutableMap.builder();
    Maps.filterKeys(variants(model), forms::contains)
        .forEach(
            (name, options) -> {
              Program program = Transpiler.transpile(model.program(), options).program();
              if (seen.add(ProgramWriter.sha256(program))) {
                rewritten.put(name, program);
              }
            });
    return rewritten.buildOrThrow();
  }

  private static ImmutableMap<String, TranspileOptions> variants(Model model) {
    TranspileOptions shapes = TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
    return ImmutableMap.of(
        "fit, in place",
        sharing(Level.FIT, /* inPlace= */ true),
        "fit",
        sharing(Level.FIT, /* inPlace= */ false),
        "exact, in place",
        sharing(Level.EXACT, /* inPlace= */ true),
        "exact, without debug information",
        withoutDebugInformation(sharing(Level.EXACT, /* inPlace= */ false)),
        FOR_SHAPES,
        shapes);
  }

  private static TranspileOptions sharing(Level level, boolean inPlace) {
    return TranspileOptions.defaults().withSharing(new SharingOptions(Policy.BEST, level, inPlace));
  }

  private static TranspileOptions withoutDebugInformation(TranspileOptions options) {
    return new TranspileOptions(
        options.shapes(),
        options.observation(),
        options.sharing(),
        options.offsets(),
        options.target(),
        options.release(),
        /* stripDebug= */ true,
        options.strict(),
        options.loops(),
        options.inPlace());
  }
}
