package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.TextFormat;
import dev.sublet.TranspileOptions;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.text.ProgramText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loops and branches whose conditions depend on feeds, in C: the bits of the executor. */
final class CompiledControlTest {

  private static final List<String> SANITIZED =
      List.of("env", "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0");

  private final CCompiler compiler = CCompiler.find();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void needsCompiler() {
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
  }

  /** Returns the C source of a program after its results were compared. */
  private String check(String... lines) throws Exception {
    Program program = ProgramText.parse(lines);
    CompiledRun run =
        CompiledRun.of(program, RandomTensors.parameters(program), TranspileOptions.defaults());
    run.check(compiler, folder, SANITIZED, "-fsanitize=address,undefined", "-DMODEL_CHECK");
    run.check(compiler, folder, List.of(), "-O3");
    return new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
  }

  @Test
  void loop_untilASumIsLarge() throws Exception {
    String source =
        check(
            "version 2004000",
            "default fp32[64]",
            "block 0",
            "  feed x: fp32[64]",
            "  var n: fp32[1]",
            "  var limit: fp32[1]",
            "  var c: bool[1]",
            "  n = reduce_max(X: x) {reduce_all: true, keep_dim: false}",
            "  limit = fill_constant() {shape: [1], value: 100.0, dtype: 5}",
            "  c = less_than(X: n, Y: limit)",
            "  while(Condition: c, X: x n limit) -> (Out: x n c, StepScopes: s) {sub_block: 1}",
            "  fetch(x)",
            "  fetch(n)",
            "block 1 parent 0",
            "  y = scale(X: x) {scale: 1.5, bias: 0.25}",
            "  x = assign(X: y)",
            "  n = reduce_max(X: y) {reduce_all: true, keep_dim: false}",
            "  c = less_than(X: n, Y: limit)");
    assertThat(source).contains("while (");
    assertThat(source).doesNotContain("memcpy(a + 256, a");
  }

  /** A loop whose counter takes turns, and has a view. Compilers warn of copies onto themselves. */
  @Test
  void viewOfAValueThatTakesTurns_isNotCopiedOntoItself() throws Exception {
    String whole = "type { tensor_type { elem_type: 7 shape { } } } ";
    String truth = "type { tensor_type { elem_type: 9 shape { } } } ";
    ModelProto.Builder message = ModelProto.newBuilder();
    TextFormat.merge(
        "ir_version: 8 opset_import { version: 17 } graph { name: 'g' "
            + ("input { name: 'n' " + whole + "} input { name: 'x' " + whole + "} ")
            + "node { op_type: 'Loop' input: 'n' input: '' input: 'x' output: 'y' "
            + "attribute { name: 'body' type: GRAPH g { name: 'body' "
            + ("input { name: 'i' " + whole + "} input { name: 'c' " + truth + "} ")
            + ("input { name: 's' " + whole + "} ")
            + "node { op_type: 'Identity' input: 'i' output: 'j' } "
            + "node { op_type: 'Identity' input: 'c' output: 'd' } "
            + "node { op_type: 'Add' input: 'j' input: 's' output: 't' } "
            + ("output { name: 'd' " + truth + "} output { name: 't' " + whole + "} } } } ")
            + ("output { name: 'y' " + whole + "} }"),
        message);
    OnnxModel model = OnnxModel.of(message.build());
    CompiledRun run =
        CompiledRun.of(model.program(), ModelParameters.read(model), TranspileOptions.defaults());
    run.check(compiler, folder, List.of(), "-O3");
    String source = new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
    assertThat(source).contains("(n1) % 2u");
    assertThat(source).doesNotContainMatch("if \\((.*) != \\1\\)");
  }

  private static final String SUM_BELOW_100 =
      """
      n = reduce_sum(X: a) {reduce_all: true, keep_dim: false}
      c = less_than(X: n, Y: limit)
      """;

  /** The begin of a program whose loop runs until the sum of {@code a} is 100. */
  private static final String BEGIN =
      """
      version 2004000
      default fp32[64]
      block 0
        feed x: fp32[64]
        feed y: fp32[64]
        var n: fp32[1]
        var limit: fp32[1]
        var c: bool[1]
        limit = fill_constant() {shape: [1], value: 100.0, dtype: 5}
        a = scale(X: x) {scale: 0.125, bias: 0.5}
        b = scale(X: y) {scale: 0.25, bias: 1.0}
      """
          + SUM_BELOW_100;

  /** Two values change places in each iteration: nothing is copied. */
  @Test
  void swappedValues_takeTurns() throws Exception {
    String source =
        check(
            BEGIN,
            "  while(Condition: c, X: a b n limit) -> (Out: a b n c, StepScopes: s) {sub_block: 1}",
            "  fetch(a)",
            "  fetch(b)",
            "block 1 parent 0",
            "  t = scale(X: a) {scale: 1.0, bias: 0.375}",
            "  a = assign(X: b)",
            "  b = assign(X: t)",
            SUM_BELOW_100);
    assertThat(source).contains("(n1) % 2u");
    assertThat(source).doesNotContain("memcpy(a + (");
  }

  /** The sum of the last two values is computed in the bytes of the older one. */
  @Test
  void valuesOfTwoIterations_takeTurns() throws Exception {
    String source =
        check(
            BEGIN,
            "  while(Condition: c, X: a b n limit) -> (Out: a b n c, StepScopes: s) {sub_block: 1}",
            "  fetch(a)",
            "  fetch(b)",
            "block 1 parent 0",
            "  t = elementwise_add(X: a, Y: b) {axis: -1}",
            "  b = assign(X: a)",
            "  a = assign(X: t)",
            SUM_BELOW_100);
    assertThat(source).contains("(n1) % 2u");
    assertThat(source).doesNotContain("memcpy(a + (");
  }

  @Test
  void loopInALoop_computesTheSameBits() throws Exception {
    check(
        BEGIN,
        "  var m: fp32[1]",
        "  var d: bool[1]",
        "  while(Condition: c, X: a b n limit) -> (Out: a b n c, StepScopes: s) {sub_block: 1}",
        "  fetch(a)",
        "  fetch(b)",
        "block 1 parent 0",
        "  m = reduce_max(X: b) {reduce_all: true, keep_dim: false}",
        "  d = less_than(X: m, Y: n)",
        "  while(Condition: d, X: b n) -> (Out: b d m, StepScopes: s2) {sub_block: 2}",
        "  a = elementwise_add(X: a, Y: b) {axis: -1}",
        SUM_BELOW_100,
        "block 2 parent 1",
        "  b = scale(X: b) {scale: 1.5, bias: 0.125}",
        "  m = reduce_max(X: b) {reduce_all: true, keep_dim: false}",
        "  d = less_than(X: m, Y: n)");
  }

  /** The loop runs no iteration: its values are those from before. */
  @Test
  void loopThatDoesNotRun_keepsValues() throws Exception {
    check(
        BEGIN,
        "  c = greater_than(X: n, Y: limit)",
        "  while(Condition: c, X: a b n limit) -> (Out: a b n c, StepScopes: s) {sub_block: 1}",
        "  fetch(a)",
        "  fetch(b)",
        "block 1 parent 0",
        "  a = assign(X: b)",
        "  b = relu(X: a)",
        "  c = greater_than(X: limit, Y: limit)");
  }

  /** An iteration in which the branch is not taken reads what an earlier one has written. */
  @Test
  void valueOfAnEarlierIteration_isKept() throws Exception {
    check(
        BEGIN,
        "  var d: bool[1]",
        "  var two: fp32[1]",
        "  var k: fp32[1]",
        "  two = fill_constant() {shape: [1], value: 2.0, dtype: 5}",
        "  k = fill_constant() {shape: [1], value: 0.0, dtype: 5}",
        "  while(Condition: c, X: a b k n limit) -> (Out: a b k n c last, StepScopes: s) {sub_block:"
            + " 1}",
        "  fetch(a)",
        "  fetch(last)",
        "block 1 parent 0",
        "  d = less_than(X: k, Y: two)",
        "  conditional_block(Cond: d, Input: a) -> (Out: last, Scope: s2) {sub_block: 2,"
            + " is_scalar_condition: true}",
        "  u = elementwise_add(X: last, Y: b) {axis: -1}",
        "  a = elementwise_add(X: a, Y: u) {axis: -1}",
        "  k = scale(X: k) {scale: 1.0, bias: 1.0}",
        SUM_BELOW_100,
        "block 2 parent 1",
        "  last = scale(X: a) {scale: 0.0625, bias: 0.03125}");
  }

  /** A copy at each iteration would overwrite what an earlier one has chosen. */
  @Test
  void valueOfTwoBranches_isRefusedInALoop() {
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () ->
                check(
                    BEGIN,
                    "  while(Condition: c, X: a b n limit) -> (Out: a b n c z, StepScopes: s)"
                        + " {sub_block: 1}",
                    "  fetch(z)",
                    "block 1 parent 0",
                    "  d = greater_than(X: n, Y: limit)",
                    "  conditional_block(Cond: d, Input: a) -> (Out: z, Scope: s2) {sub_block: 2,"
                        + " is_scalar_condition: true}",
                    "  conditional_block(Cond: c, Input: b) -> (Out: z, Scope: s3) {sub_block: 3,"
                        + " is_scalar_condition: true}",
                    "  a = elementwise_add(X: a, Y: b) {axis: -1}",
                    SUM_BELOW_100,
                    "block 2 parent 1",
                    "  z = relu(X: a)",
                    "block 3 parent 1",
                    "  z = relu(X: b)"));
    assertThat(error.exitCode()).isEqualTo(4);
    assertThat(error.details().get(0)).contains("may keep a value of an earlier iteration");
  }

  /** The iteration after the branch would read what the last operator has written. */
  @Test
  void valueOfABranch_thatIsWrittenAgain_isRefusedInALoop() {
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () ->
                check(
                    BEGIN,
                    "  while(Condition: c, X: a b n limit) -> (Out: a n c z, StepScopes: s)"
                        + " {sub_block: 1}",
                    "  fetch(a)",
                    "block 1 parent 0",
                    "  conditional_block(Cond: c, Input: a) -> (Out: z, Scope: s2) {sub_block: 2,"
                        + " is_scalar_condition: true}",
                    "  a = elementwise_add(X: a, Y: z) {axis: -1}",
                    "  z = relu(X: b)",
                    SUM_BELOW_100,
                    "block 2 parent 1",
                    "  z = scale(X: a) {scale: 1.0, bias: 1.0}"));
    assertThat(error.details().get(0)).contains("may keep a value of an earlier iteration");
  }

  /** The result keeps the value of an earlier iteration; a copy of it needs its shape. */
  @Test
  void shapeOfAKeptValue_isRefusedInALoop() {
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () ->
                check(
                    BEGIN,
                    "  var m: bool[64]",
                    "  while(Condition: c, X: a b n limit) -> (Out: a n c q, StepScopes: s)"
                        + " {sub_block: 1}",
                    "  fetch(q)",
                    "block 1 parent 0",
                    "  m = greater_than(X: a, Y: b)",
                    "  (Y: z) = masked_select(X: a, Mask: m)",
                    "  conditional_block(Cond: c, Input: z) -> (Out: q, Scope: s2) {sub_block: 2,"
                        + " is_scalar_condition: true}",
                    "  a = elementwise_add(X: a, Y: b) {axis: -1}",
                    SUM_BELOW_100,
                    "block 2 parent 1",
                    "  q = relu(X: z)"));
    assertThat(error.details().toString()).contains("shape of a value that it copies");
  }

  @Test
  void resultWhoseShapeDependsOnABranch_isRefused() {
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () ->
                check(
                    BEGIN,
                    "  g = relu(X: b)",
                    "  conditional_block(Cond: c, Input: a) -> (Out: g, Scope: s) {sub_block: 1,"
                        + " is_scalar_condition: true}",
                    "block 1 parent 0",
                    "  g = concat(X: a b) {axis: 0}"));
    assertThat(error.details().get(0)).contains("the shape of 'g' after it depends on data");
  }

  /** Five loops of 1000 iterations in one another: a few traces of each body. */
  @Test
  void deepCountedLoops_areCompiledAtOnce() throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n  feed x: fp32[4]\n");
    text.append("  var a: fp32[4]\n  var end: int64[1]\n  a = relu(X: x)\n");
    text.append("  end = fill_constant() {shape: [1], value: 1000.0, dtype: 3}\n");
    for (int depth = 1; depth <= 5; depth++) {
      text.append("  var i%1$d: int64[1]\n  var c%1$d: bool[1]\n".formatted(depth));
    }
    for (int depth = 1; depth <= 6; depth++) {
      if (depth > 1) {
        text.append("block %d parent %d\n".formatted(depth - 1, depth - 2));
      }
      if (depth < 6) {
        text.append(
            """
              i%1$d = fill_constant() {shape: [1], value: 0.0, dtype: 3}
              c%1$d = less_than(X: i%1$d, Y: end)
              while(Condition: c%1$d, X: a end) -> (Out: a c%1$d, StepScopes: s%1$d) {sub_block: %1$d}
            """
                .formatted(depth));
      } else {
        text.append("  a = scale(X: a) {scale: 0.5, bias: 1.0}\n");
      }
      if (depth == 1) {
        text.append("  fetch(a)\n");
      } else {
        text.append(
            "  i%1$d = increment(X: i%1$d) {step: 1.0}\n  c%1$d = less_than(X: i%1$d, Y: end)\n"
                .formatted(depth - 1));
      }
    }
    Program program = ProgramText.parse(text.toString());
    CompiledRun run =
        CompiledRun.of(program, RandomTensors.parameters(program), TranspileOptions.defaults());
    String source = new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
    assertThat(source.split("while \\(")).hasLength(6);
  }

  @Test
  void shapeThatGrows_isRefused() {
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () ->
                check(
                    BEGIN,
                    "  while(Condition: c, X: a b n limit) -> (Out: a b n c, StepScopes: s)"
                        + " {sub_block: 1}",
                    "  fetch(n)",
                    "block 1 parent 0",
                    "  a = concat(X: a b) {axis: 0}",
                    SUM_BELOW_100));
    assertThat(error.details().get(0)).contains("the shape of a value that it carries changes");
  }

  /** The position of an output that is not wanted counts. */
  @Test
  void secondHalf_isTheSecondOutput() throws Exception {
    check(
        "version 2004000",
        "block 0",
        "  feed x: fp32[64]",
        "  var b: fp32[32]",
        "  (Out: \"@EMPTY@\" b) = split(X: x) {axis: 0, num: 2}",
        "  c = relu(X: b)",
        "  fetch(c)");
  }

  /** A loop of a known number of iterations that reads and writes the i-th row. */
  @Test
  void rowsOfATensor_areOneLoop() throws Exception {
    Program program =
        ProgramText.parse(
            """
            version 2004000
            default fp32[9,8]
            block 0
              feed x: fp32[9,8]
              var i: int64[1]
              var end: int64[1]
              var c: bool[1]
              var h: fp32[8]
              i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
              end = fill_constant() {shape: [1], value: 9.0, dtype: 3}
              h = fill_constant() {shape: [8], value: 0.5, dtype: 5}
              rows = fill_constant() {shape: [9, 8], value: -1.0, dtype: 5}
              c = less_than(X: i, Y: end)
              while(Condition: c, X: x i end h rows) -> (Out: i h rows c, StepScopes: s) {sub_block: 1}
              fetch(rows)
              fetch(h)
            block 1 parent 0
              var next: int64[1]
              var row: fp32[8]
              var sum: fp32[8]
              next = scale(X: i) {scale: 1.0, bias: 1.0}
              row = slice(Input: x, StartsTensorList: i, EndsTensorList: next) {axes: [0], starts: [-1], ends: [-1], infer_flags: [-1], decrease_axis: [0]}
              sum = elementwise_add(X: row, Y: h) {axis: -1}
              h = tanh(X: sum)
              rows = set_value(Input: rows, StartsTensorList: i, EndsTensorList: next, ValueTensor: h) {axes: [0], decrease_axes: [0], none_axes: ints [], starts: ints [], ends: ints [], steps: [1], dtype: 5, shape: ints []}
              i = assign(X: next)
              c = less_than(X: i, Y: end)
            """);
    CompiledRun run =
        CompiledRun.of(program, RandomTensors.parameters(program), TranspileOptions.defaults())
            .withLoops();
    run.check(compiler, folder, SANITIZED, "-fsanitize=address,undefined", "-DMODEL_CHECK");
    String source = new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
    assertThat(source).contains("while (");
    assertThat(source).doesNotContain("memcpy(a + (");
  }

  /** Loops in loops whose innermost operator is refused: each is traced a few times, not 2^40. */
  @Test
  void deepLoops_areRefusedAtOnce() {
    StringBuilder text = new StringBuilder(BEGIN);
    text.append("  while(Condition: c, X: a) -> (Out: a c, StepScopes: s) {sub_block: 1}\n");
    text.append("  fetch(n)\n");
    for (int depth = 1; depth < 40; depth++) {
      text.append("block ").append(depth).append(" parent ").append(depth - 1).append('\n');
      text.append("  while(Condition: c, X: a) -> (Out: a c, StepScopes: s) {sub_block: ");
      text.append(depth + 1).append("}\n").append(SUM_BELOW_100);
    }
    text.append("block 40 parent 39\n  a = concat(X: a b) {axis: 0}\n").append(SUM_BELOW_100);
    ProgramException error = assertThrows(ProgramException.class, () -> check(text.toString()));
    assertThat(error.details().toString()).contains("the shape of a value that it carries changes");
  }

  /** Computed limits that count from the end; from -1 to 0 is the last row. */
  @ParameterizedTest
  @CsvSource({"-1,0", "-3,-2", "-9,-8", "8,9", "0,1"})
  void computedLimits_areThoseOfTheExecutor(int start, int end) throws Exception {
    checkRow(start, end, ", EndsTensorList: j", /* constantEnd= */ -1);
  }

  @Test
  void computedStart_andConstantEnd_areThoseOfTheExecutor() throws Exception {
    checkRow(-1, 0, "", /* constantEnd= */ 0);
  }

  private void checkRow(int start, int end, String ends, int constantEnd) throws Exception {
    check(
        """
        version 2004000
        block 0
          feed x: fp32[9,8]
          var z: fp32[1]
          var f: fp32[1]
          var g: fp32[1]
          var i: int64[1]
          var j: int64[1]
          var row: fp32[8]
          var n: fp32[1]
          n = reduce_max(X: x) {reduce_all: true, keep_dim: false}
          z = elementwise_sub(X: n, Y: n) {axis: -1}
          f = scale(X: z) {scale: 1.0, bias: %d.0}
          g = scale(X: z) {scale: 1.0, bias: %d.0}
          i = cast(X: f) {in_dtype: 5, out_dtype: 3}
          j = cast(X: g) {in_dtype: 5, out_dtype: 3}
          row = slice(Input: x, StartsTensorList: i%s) {axes: [0], starts: [-1], ends: [%d], infer_flags: [-1], decrease_axis: [0]}
          fetch(row)
        """
            .formatted(start, end, ends, constantEnd));
  }

  /** Slices with computed limits and a stride, or with a list of numbers. */
  @ParameterizedTest
  @CsvSource({"1,8,2", "-1,-9,-3", "7,2,1", "-20,20,4"})
  void replacedSlices_areThoseOfTheExecutor(int start, int end, int step) throws Exception {
    String source =
        check(
            """
            version 2004000
            block 0
              feed x: fp32[9,3]
              var z: fp32[1]
              var f: fp32[1]
              var g: fp32[1]
              var h: fp32[1]
              var i: int64[1]
              var j: int64[1]
              var k: int64[1]
              var n: fp32[1]
              var v: fp32[3]
              var y: fp32[9,3]
              var w: fp32[9,3]
              n = reduce_max(X: x) {reduce_all: true, keep_dim: false}
              z = elementwise_sub(X: n, Y: n) {axis: -1}
              f = scale(X: z) {scale: 1.0, bias: %d.0}
              g = scale(X: z) {scale: 1.0, bias: %d.0}
              h = scale(X: z) {scale: 1.0, bias: %d.0}
              i = cast(X: f) {in_dtype: 5, out_dtype: 3}
              j = cast(X: g) {in_dtype: 5, out_dtype: 3}
              k = cast(X: h) {in_dtype: 5, out_dtype: 3}
              v = reduce_max(X: x) {dim: [0], keep_dim: false, reduce_all: false}
              y = set_value(Input: x, StartsTensorList: i, EndsTensorList: j, StepsTensorList: k, ValueTensor: v) {axes: [0], decrease_axes: ints [], none_axes: ints [], starts: ints [], ends: ints [], steps: ints [], dtype: 5, shape: ints []}
              w = set_value(Input: x) {axes: [0], decrease_axes: ints [], none_axes: ints [], starts: [1], ends: [9], steps: [3], dtype: 5, shape: [3, 1], fp32_values: [1.5, 2.5, -3.0]}
              fetch(y)
              fetch(w)
            """
                .formatted(start, end, step));
    assertThat(source).contains("set_slice_f32(");
  }

  /** Random programs with nested loops and branches; what their loops repeat stays a loop. */
  @TestFactory
  Stream<DynamicTest> randomPrograms() {
    int first = Integer.getInteger("sublet.first", 0);
    int rounds = Integer.getInteger("sublet.rounds", LongForm.tries(/* usual= */ 5, /* all= */ 10));
    return IntStream.range(first, first + rounds)
        .mapToObj(round -> DynamicTest.dynamicTest("round " + round, () -> checkRandom(round)));
  }

  private void checkRandom(int round) throws Exception {
    Program program = ExecutablePrograms.generate(round, 5 + round % 40);
    Path own = Files.createDirectory(folder.resolve("round" + round));
    CompiledRun.of(program, RandomTensors.parameters(program), TranspileOptions.defaults())
        .withLoops()
        .check(compiler, own, SANITIZED, "-fsanitize=address,undefined", "-DMODEL_CHECK");
  }
}
