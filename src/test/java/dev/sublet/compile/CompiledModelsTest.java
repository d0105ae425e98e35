package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import dev.sublet.TranspileOptions;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.merge.Views;
import dev.sublet.paddle.MadePrograms;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiled programs compute the bits of the executor, also under the sanitizers of the C compiler,
 * with dead bytes overwritten, and in arenas that are planned with other options.
 */
final class CompiledModelsTest {

  private static final List<String> SANITIZED =
      List.of("env", "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0");

  private static final int MODELS_FOR_ONE = 3;

  private static final List<String> VALGRIND = List.of("valgrind", "-q", "--error-exitcode=9");

  private static final String SANITIZERS = "-fsanitize=address,undefined";

  private final CCompiler compiler = CCompiler.find();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void needsCompiler() {
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
  }

  @TestFactory
  List<DynamicTest> examples() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : List.of("ten_operators", "mobile_block", "late_read", "greedy_decoder")) {
      tests.add(
          DynamicTest.dynamicTest(
              name,
              () -> {
                Path file = Path.of("testdata", "examples", name, "program.textproto");
                checkAll(
                    name,
                    CompiledRun.of(
                        ProgramReader.readWithFormat(file).program(), ShapeOptions.defaults()));
              }));
    }
    return tests;
  }

  /** A model that quantizes, convolves in integers, and dequantizes; it also returns integers. */
  private static final String QUANTIZED =
      """
      ir_version: 8
      opset_import { version: 17 }
      graph {
        name: "quantized"
        node { op_type: "QuantizeLinear" input: "x" input: "scale" input: "zero" output: "q" }
        node {
          op_type: "QLinearConv" input: "q" input: "scale" input: "zero" input: "w"
          input: "w_scale" input: "w_zero" input: "y_scale" input: "zero" output: "c"
          attribute { name: "pads" type: INTS ints: [1, 1, 1, 1] }
        }
        node { op_type: "MaxPool" input: "c" output: "p"
          attribute { name: "kernel_shape" type: INTS ints: [2, 2] }
          attribute { name: "strides" type: INTS ints: [2, 2] } }
        node { op_type: "DequantizeLinear" input: "p" input: "y_scale" input: "zero" output: "y" }
        initializer { name: "scale" data_type: 1 float_data: 0.0078125 }
        initializer { name: "zero" data_type: 2 int32_data: 3 }
        initializer { name: "w" data_type: 3 dims: [2, 1, 3, 3]
          int32_data: [1, -2, 3, -4, 5, -6, 7, -8, 9, 9, -8, 7, -6, 5, -4, 3, -2, 1] }
        initializer { name: "w_scale" data_type: 1 float_data: 0.25 }
        initializer { name: "w_zero" data_type: 3 int32_data: 1 }
        initializer { name: "y_scale" data_type: 1 float_data: 0.03125 }
        input { name: "x" type { tensor_type { elem_type: 1 shape {
          dim { dim_value: 1 } dim { dim_value: 1 } dim { dim_value: 6 } dim { dim_value: 6 } } } } }
        output { name: "p" type { tensor_type { elem_type: 2 } } }
        output { name: "y" type { tensor_type { elem_type: 1 } } }
      }
      """;

  @Test
  void quantizedModel_computesTheSameBits() throws Exception {
    Path file = Files.writeString(folder.resolve("model.onnx.textproto"), QUANTIZED);
    ReadProgram read = ProgramReader.readWithFormat(file);
    checkAll(
        "quantized",
        CompiledRun.of(
            read.program(),
            ModelParameters.read(read.model().orElseThrow()),
            TranspileOptions.defaults()));
  }

  /** Loops that count become calls, one after the other. */
  @TestFactory
  List<DynamicTest> loops() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("testdata", "examples", "loops"))) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        tests.add(
            DynamicTest.dynamicTest(
                name,
                () ->
                    CompiledRun.of(
                            ProgramReader.readWithFormat(file).program(), ShapeOptions.defaults())
                        .check(
                            compiler,
                            Files.createDirectory(folder.resolve(name)),
                            SANITIZED,
                            SANITIZERS,
                            "-DMODEL_CHECK")));
      }
    }
    assertThat(tests.size()).isAtLeast(11);
    return tests;
  }

  /**
   * The usual form checks one program of three with weights in a file and by valgrind, and the
   * others as fast and as sanitized code.
   */
  @TestFactory
  List<DynamicTest> madePrograms() {
    List<DynamicTest> tests = new ArrayList<>();
    int refused = 0;
    for (Model model : MadePrograms.all()) {
      CompiledRun run;
      try {
        run = CompiledRun.of(model.program(), model.feeds().shapeOptions());
      } catch (ProgramException e) {
        assertThat(e.exitCode()).isEqualTo(4);
        refused++;
        continue;
      }
      boolean inAllForms = LongForm.isOn() || tests.size() % MODELS_FOR_ONE == 0;
      tests.add(
          DynamicTest.dynamicTest(
              model.name(),
              () -> {
                if (inAllForms) {
                  checkAll(model.name(), run);
                } else {
                  checkCode(run, Files.createDirectory(folder.resolve(model.name())));
                }
              }));
    }
    assertThat(tests.size()).isAtLeast(6);
    assertThat(refused).isAtMost(4);
    return tests;
  }

  @TestFactory
  List<DynamicTest> onnxModels() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> folders = Files.list(Path.of("testdata", "onnx"))) {
      for (Path each : folders.sorted().toList()) {
        if (!Files.exists(each.resolve("options"))) {
          compiled(each)
              .ifPresent(
                  run ->
                      tests.add(
                          DynamicTest.dynamicTest(
                              each.getFileName().toString(),
                              () -> checkAll(each.getFileName().toString(), run))));
        }
      }
    }
    assertThat(tests.size()).isAtLeast(3);
    return tests;
  }

  private static Optional<CompiledRun> compiled(Path model) {
    ReadProgram read = ProgramReader.readWithFormat(model.resolve("model.textproto"));
    try {
      return Optional.of(
          CompiledRun.of(
              read.program(),
              ModelParameters.read(read.model().orElseThrow()),
              TranspileOptions.defaults()));
    } catch (ProgramException e) {
      assertThat(e.exitCode()).isEqualTo(4);
      return Optional.empty();
    }
  }

  /** gcc 12 makes wrong vector code of a choice between two loads, see {@code CHelper}. */
  @Test
  void choices_areRightInVectorCode() throws Exception {
    Program program =
        ProgramText.parse(
            "version 2004000",
            "block 0",
            "  feed c: bool[6,9,16]",
            "  feed x: fp32[6,9,16]",
            "  feed y: fp32[6,9,16]",
            "  var o: fp32[6,9,16]",
            "  o = where(Condition: c, X: x, Y: y)",
            "  fetch(o)");
    CompiledRun.of(program, RandomTensors.parameters(program), TranspileOptions.defaults())
        .check(compiler, folder, List.of(), "-O3", "-march=native");
  }

  private static final String SELECTION =
      """
      version 2004000
      block 0
        feed b: fp32[1,9,4]
        feed s: fp32[1,3,9]
        var o: fp32[50,6]
        var n: fp32[50,6]
        var i: int64[243,3]
        var c: int32[1]
        var p: fp32[50,6]
        var q: int64[50,6]
        var r: fp32[50,6]
        (Out: o, NmsRoisNum: c) = multiclass_nms3(BBoxes: b, Scores: s) {background_label: 0, \
      nms_top_k: 64, keep_top_k: 50, score_threshold: 0.4}
        (Out: n) = multiclass_nms(BBoxes: b, Scores: s) {background_label: 0, nms_top_k: 64, \
      keep_top_k: 50, score_threshold: 7.0}
        (Out: i) = where_index(Condition: s)
        p = scale(X: o) {scale: 3.0, bias: 1.0}
        q = cast(X: p) {in_dtype: 5, out_dtype: 3}
      """;

  /** The number of selected boxes depends on data; pointwise operators read such a value. */
  @Test
  void shapesThatDependOnData_areThoseOfTheExecutor() throws Exception {
    Program program =
        ProgramText.parse(
            SELECTION, "  fetch(o)", "  fetch(n)", "  fetch(i)", "  fetch(c)", "  fetch(q)");
    checkAll("selection", CompiledRun.of(program, ShapeOptions.defaults()));
  }

  @Test
  void otherReaders_areRefused() {
    Program program = ProgramText.parse(SELECTION, "  r = softmax(X: p)", "  fetch(r)");
    ProgramException e =
        assertThrows(
            ProgramException.class, () -> CompiledRun.of(program, ShapeOptions.defaults()));
    assertThat(e.exitCode()).isEqualTo(4);
    assertThat(e.details())
        .containsExactly(
            "  softmax (1 time, at block 0, op 7): reads 'p', whose shape depends on data");
  }

  /** The products of the convolution would be 15 GB; the C code never stores them. */
  @Test
  void largeConvolution_isCompiled() {
    Program program =
        ProgramText.parse(
            "version 2004000",
            "block 0",
            "  feed x: fp32[1,256,80,80]",
            "  var f: fp32[256,256,3,3] persistable parameter",
            "  var o: fp32[1,256,80,80]",
            "  (Output: o) = conv2d(Input: x, Filter: f) {strides: [1,1], paddings: [1,1],"
                + " dilations: [1,1], groups: 1}",
            "  fetch(o)");
    CompiledRun run = CompiledRun.of(program, ShapeOptions.defaults());
    assertThat(run.model().plan().plan().arenaBytes()).isAtLeast(4L * 256 * 80 * 80);
  }

  /** Contraction, and the functions of the C library: results near those of the executor. */
  @Test
  void fastMath_isNearTheExecutor() throws Exception {
    for (String name : List.of("mobile_block", "keyword_spotting")) {
      Path file = Path.of("testdata", "examples", name, "program.textproto");
      CompiledRun run =
          CompiledRun.of(ProgramReader.readWithFormat(file).program(), ShapeOptions.defaults());
      run.withMath(MathMode.FAST)
          .check(
              compiler,
              Files.createDirectory(folder.resolve(name)),
              List.of(),
              "-O3",
              "-march=native",
              "-ffp-contract=fast");
    }
    Program functions =
        ProgramText.parse(
            "version 2004000",
            "default fp32[2,300]",
            "block 0",
            "  feed x: fp32[2,300]",
            "  a = softmax(X: x)",
            "  b = tanh(X: x)",
            "  c = sigmoid(X: b)",
            "  d = gelu(X: x)",
            "  e = swish(X: x)",
            "  fetch(a)",
            "  fetch(c)",
            "  fetch(d)",
            "  fetch(e)");
    CompiledRun run = CompiledRun.of(functions, ShapeOptions.defaults()).withMath(MathMode.FAST);
    run.check(compiler, folder, List.of(), "-O3");
    String source = new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
    assertThat(source).contains(" expf(");
    assertThat(new String(run.model().files().get("Makefile"), StandardCharsets.UTF_8))
        .contains("-ffp-contract=fast");
  }

  /** Other plans: nothing in place, everything that can be a view. */
  @Test
  void otherPlans_computeTheSameBits() throws Exception {
    Path file = Path.of("testdata", "examples", "mobile_block", "program.textproto");
    Program program = ProgramReader.readWithFormat(file).program();
    TranspileOptions defaults = TranspileOptions.defaults();
    for (TranspileOptions options :
        List.of(
            defaults.withOffsets(defaults.offsets().withInPlace(false)),
            defaults.withOffsets(defaults.offsets().withViews(Views.ALL)),
            defaults.withOffsets(defaults.offsets().withViews(Views.NONE)))) {
      CompiledRun.of(program, RandomTensors.parameters(program), options)
          .check(compiler, folder, List.of(), "-DMODEL_CHECK");
    }
  }

  private void checkAll(String name, CompiledRun run) throws Exception {
    Path own = Files.createDirectory(folder.resolve(name));
    checkCode(run, own);
    Path file = Files.createDirectory(own.resolve("file"));
    boolean hasValgrind = compiler.isNative() && CCompiler.isInstalled("valgrind");
    run.withWeightsInFile().check(compiler, file, hasValgrind ? VALGRIND : List.of());
    assertThat(ImmutableMap.copyOf(run.model().files())).isNotEmpty();
  }

  private void checkCode(CompiledRun run, Path own) throws Exception {
    run.check(compiler, own, List.of(), "-O3", "-march=native");
    run.check(compiler, own, SANITIZED, SANITIZERS, "-DMODEL_CHECK");
  }

  /** The header states a bound of the stack: vector registers that are spilled need the most. */
  @Test
  void stack_isBounded() throws Exception {
    Path file = Path.of("testdata", "examples", "mobile_block", "program.textproto");
    CompiledRun.of(ProgramReader.readWithFormat(file).program(), ShapeOptions.defaults())
        .check(compiler, folder, List.of());
    List<String> command = new ArrayList<>(List.of(compiler.name(), "-c", "test.c", "-O3"));
    command.addAll(List.of("-std=c99", "-ffp-contract=off", "-fstack-usage"));
    if (compiler.isNative()) {
      command.add("-march=native");
    }
    assertThat(compiler.run(folder, command)).isEmpty();
    long run = 0;
    long nest = 0;
    long helper = 0;
    for (String line : Files.readAllLines(folder.resolve("test.su"))) {
      assertThat(line.endsWith("\tdynamic")).isFalse();
      long bytes = Long.parseLong(Splitter.on('\t').splitToList(line).get(1));
      if (line.contains(":test_run\t")) {
        run = bytes;
      } else if (line.contains(":test_k")) {
        nest = Math.max(nest, bytes);
      } else {
        helper = Math.max(helper, bytes);
      }
    }
    // test_run calls nests, and these call helpers, at most two deep.
    boolean isGcc = !compiler.run(folder, List.of(compiler.name(), "--version")).contains("clang");
    assertThat(run + nest + 2 * helper).isLessThan(isGcc ? 4096 : 16384);
    assertThat(run).isGreaterThan(0);
    assertThat(nest).isGreaterThan(0);
  }
}
