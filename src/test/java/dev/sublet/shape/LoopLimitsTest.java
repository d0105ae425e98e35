package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The condition of a loop bounds the numbers that the loop counts. */
final class LoopLimitsTest {

  /**
   * Returns a loop with a counter {@code i} from 0 on, a number {@code k} from 5 on, and {@code n}
   * = 10, in which {@code t} is a row at first.
   */
  private static Program loop(String... body) {
    List<String> lines = new ArrayList<>();
    lines.add("default fp32[]");
    lines.add("block 0");
    lines.add("  feed x: fp32[1,8]");
    lines.add("  feed unknown: int64[1]");
    lines.add("  var i: int64[1]");
    lines.add("  var k: int64[1]");
    lines.add("  var n: int64[1]");
    lines.add("  var c: bool[1]");
    lines.add("  var d: bool[1]");
    lines.add("  var len: int64[1]");
    lines.add("  var t: fp32[-1,8]");
    lines.add("  var list: array fp32[1,8]");
    for (String name : new String[] {"at_i", "at_k", "after_i", "after_k"}) {
      lines.add("  var " + name + ": int64[1]");
    }
    lines.add("  i = fill_constant() {shape: [1L], dtype: 3, value: 0.0}");
    lines.add("  k = fill_constant() {shape: [1L], dtype: 3, value: 5.0}");
    lines.add("  n = fill_constant() {shape: [1L], dtype: 3, value: 10.0}");
    lines.add("  t = relu(x)");
    lines.add("  c = less_than(i, n)");
    lines.add(
        "  while(X: i k t list c n x unknown, Condition: c)"
            + " -> (Out: i k t list c, StepScopes: s) {sub_block: 1}");
    lines.add("  after_i = scale(i) {scale: 1.0}");
    lines.add("  after_k = scale(k) {scale: 1.0}");
    lines.add("block 1 parent 0");
    lines.add("  at_i = scale(i) {scale: 1.0}");
    lines.add("  at_k = scale(k) {scale: 1.0}");
    for (String line : body) {
      lines.add(line.startsWith("block") ? line : "  " + line);
    }
    return ProgramText.parse(String.join("\n", lines));
  }

  private static Sizes infer(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    LodCarriers lod = LodCarriers.find(program, catalog);
    return ShapeInference.infer(program, catalog, lod, ShapeOptions.defaults());
  }

  /** Returns what is known of the number that an operator writes, such as {@code ≤9}. */
  private static String number(Program program, String output) {
    Sizes sizes = infer(program);
    for (int block = 0; block < 2; block++) {
      for (Operation operation : program.block(block).operations()) {
        if (operation.outputCount() > 0
            && program.variable(operation.output(0)).name().equals(output)) {
          return requireNonNull(sizes.written(operation, 0)).elements().get(0).toString();
        }
      }
    }
    throw new AssertionError(output);
  }

  @Test
  void counter_isBelowItsLimitInTheBody_andAtMostTheLimitAfterTheLoop() {
    Program program = loop("i = increment(i) {step: 1.0}", "c = less_than(i, n)");
    assertThat(number(program, "at_i")).isEqualTo("≤9");
    assertThat(number(program, "after_i")).isEqualTo("≤10");
  }

  @Test
  void eachComparison_bounds() {
    assertThat(number(loop("i = increment(i)", "c = less_equal(i, n)"), "at_i")).isEqualTo("≤10");
    assertThat(number(loop("i = increment(i)", "c = greater_than(n, i)"), "at_i")).isEqualTo("≤9");
    assertThat(number(loop("i = increment(i)", "c = greater_equal(n, i)"), "at_i"))
        .isEqualTo("≤10");
    assertThat(number(loop("i = increment(i)", "c = not_equal(i, n)"), "at_i")).isEqualTo("?");
    assertThat(number(loop("i = increment(i)", "c = less_than(i, unknown)"), "at_i"))
        .isEqualTo("?");
  }

  @Test
  void eitherPartOfAConjunction_bounds() {
    String[] body = {
      "i = increment(i)",
      "d = less_than(i, n)",
      "c = less_than(k, unknown)",
      "c = logical_and(d, c)"
    };
    assertThat(number(loop(body), "at_i")).isEqualTo("≤9");
    body[3] = "c = logical_or(d, c)";
    assertThat(number(loop(body), "at_i")).isEqualTo("?");
  }

  @Test
  void otherNumbers_areBoundedByTheNumberOfIterations() {
    Program program =
        loop(
            "i = increment(i) {step: 2.0}",
            "k = scale(k) {scale: 1.0, bias: 3.0}",
            "c = less_than(i, n)");
    assertThat(number(program, "at_i")).isEqualTo("≤8");
    assertThat(number(program, "at_k")).isEqualTo("≤17"); // 5 + 4 * 3
    assertThat(number(program, "after_k")).isEqualTo("≤20");
  }

  @Test
  void numberThatIsNoCounter_isNotBounded() {
    String[] doubled = {"i = increment(i)", "k = scale(k) {scale: 2.0}", "c = less_than(i, n)"};
    assertThat(number(loop(doubled), "at_k")).isEqualTo("?");
    String[] down = {"i = increment(i)", "k = increment(k) {step: -1.0}", "c = less_than(i, n)"};
    assertThat(number(loop(down), "at_k")).isEqualTo("?");
    String[] testedTooEarly = {"c = less_than(i, n)", "i = increment(i)"};
    assertThat(number(loop(testedTooEarly), "at_i")).isEqualTo("?");
  }

  @Test
  void numbersThatBoundEachOther_areNotBounded() {
    assertThat(number(loop("i = increment(i)", "c = less_equal(i, i)"), "at_i")).isEqualTo("?");
    String[] chased = {"i = increment(i)", "k = increment(k)", "c = less_than(i, k)"};
    assertThat(number(loop(chased), "at_i")).isEqualTo("?");
  }

  @Test
  void counterThatItsTypeCannotRepresent_isNotBounded() {
    String[] body = {
      "n = fill_constant() {shape: [1L], dtype: 3, value: 2147483647.0}",
      "i = increment(i) {step: 2.0}",
      "c = less_than(i, n)"
    };
    Program program = loop(body);
    assertThat(number(program, "at_i")).isEqualTo("≤2147483646");
    Program wraps =
        ProgramText.parse(ProgramText.print(program).replace("var i: int64", "var i: int32"));
    Operation first = wraps.block(1).operations().get(0);
    assertThat(requireNonNull(infer(wraps).written(first, 0)).hasElements()).isFalse();
  }

  /** The second run of the inner loop begins with a larger number than the first one. */
  @Test
  void loopThatIsEnteredAgain_countsFromItsNewBeginning() {
    Program program =
        loop(
            "i = fill_constant() {shape: [1L], dtype: 3, value: 0.0}",
            "d = less_than(i, n)",
            "while(X: i k d n, Condition: d) -> (Out: i k d, StepScopes: s2) {sub_block: 2}",
            "k = fill_constant() {shape: [1L], dtype: 3, value: 7.0}",
            "c = less_than(k, unknown)",
            "block 2 parent 1",
            "k = increment(k)",
            "i = increment(i)",
            "d = less_than(i, n)");
    Operation adds = program.block(2).operations().get(0);
    assertThat(requireNonNull(infer(program).written(adds, 0)).elements().get(0).toString())
        .isEqualTo("≤17");
  }

  /** Two casts of a number that is fed are not equal if one of them wraps. */
  @Test
  void testsOfUnknownNumbers_areUnknown() {
    Program program =
        loop(
            "var low: int32[1]",
            "var few: int32[1]",
            "few = fill_constant() {shape: [1L], dtype: 2, value: 10.0}",
            "low = cast(unknown) {in_dtype: 3, out_dtype: 2}",
            "c = greater_than(low, few)",
            "d = greater_than(unknown, n)",
            "k = cast(d) {in_dtype: 0, out_dtype: 3}",
            "at_k = cast(c) {in_dtype: 0, out_dtype: 3}",
            "i = increment(i)",
            "k = elementwise_add(k, i)",
            "at_k = elementwise_add(at_k, i)",
            "c = less_than(at_k, n)",
            "list = write_to_array(x, I: k)");
    assertThat(infer(program).isKnown(program.resolve(0, "list"))).isFalse();
  }

  /** A chain that doubled the list of bounds with each operator would not end. */
  @Test
  void conjunctionsOfOneCondition_boundItOnce() {
    List<String> body = new ArrayList<>();
    body.add("i = increment(i)");
    body.add("c = less_than(i, n)");
    for (int k = 0; k < 60; k++) {
      body.add("c = logical_and(c, c)");
    }
    assertThat(number(loop(body.toArray(new String[0])), "at_i")).isEqualTo("≤9");
  }

  @Test
  void rowsThatAreAppended_areBounded() {
    Program program =
        loop("t = concat(X: t x) {axis: 0}", "i = increment(i)", "c = less_than(i, n)");
    Sizes sizes = infer(program);
    assertThat(sizes.bytes(program.resolve(0, "t"))).isEqualTo(11 * 32);
  }

  @Test
  void listThatGrows_isBounded() {
    Program program =
        loop(
            "len = lod_array_length(list)",
            "list = write_to_array(x, I: len)",
            "i = increment(i)",
            "c = less_than(i, n)");
    assertThat(number(program, "len")).isEqualTo("≤9");
  }

  /** Random loops over a few numbers, whose values the program itself keeps the extremes of. */
  private static final class RandomLoop {
    private static final String[] NUMBERS = {"i", "j", "k", "n", "m"};

    private final Random random;
    private final List<String> start = new ArrayList<>();
    private final List<String> body = new ArrayList<>();
    private final List<String> inner = new ArrayList<>();

    /** By block and index in the block: the number of the recorder of this operator's output. */
    private final Map<String, Integer> recorders = new TreeMap<>();

    private int recorderCount;

    RandomLoop(long seed) {
      random = new Random(seed);
    }

    private String any() {
      return NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private String fill(String name, double value, int type) {
      return "  "
          + name
          + " = fill_constant() {shape: [1L], dtype: "
          + type
          + ", value: "
          + value
          + "}";
    }

    private String change(String name) {
      return "  "
          + name
          + switch (random.nextInt(11)) {
            case 0 -> " = elementwise_add(" + any() + ", " + any() + ")";
            case 1 -> " = elementwise_sub(" + any() + ", " + any() + ")";
            case 2 -> " = elementwise_max(" + any() + ", " + any() + ")";
            case 3 -> " = elementwise_min(" + any() + ", " + any() + ")";
            case 4 -> " = assign(" + any() + ")";
            case 5 -> " = scale(" + any() + ") {scale: 1.0, bias: " + random.nextInt(3) + ".0}";
            case 6 -> " = lod_array_length(list)";
            case 7 -> " = " + fill("", random.nextInt(7), 3).replace("   = ", "");
            default -> " = increment(" + name + ") {step: " + (random.nextInt(5) - 1) + ".0}";
          };
    }

    private void statements(int block, List<String> lines, int count) {
      for (int i = 0; i < count; i++) {
        if (random.nextInt(6) == 0) {
          String index = random.nextBoolean() ? "len" : any();
          lines.add("  len = lod_array_length(list)");
          lines.add("  list = write_to_array(x, I: " + index + ")");
          continue;
        }
        String name = any();
        recorders.put(block + "/" + lines.size(), recorderCount);
        lines.add(change(name));
        String recorder = Integer.toString(recorderCount++);
        lines.add("  most" + recorder + " = elementwise_max(most" + recorder + ", " + name + ")");
        lines.add("  least" + recorder + " = elementwise_min(least" + recorder + ", " + name + ")");
      }
    }

    private void condition(String name, List<String> lines) {
      String[] tests = {"less_than", "less_equal", "greater_than", "greater_equal", "equal"};
      String test = tests[random.nextInt(random.nextInt(3) == 0 ? tests.length : 2)];
      lines.add("  " + name + " = " + test + "(" + any() + ", " + any() + ")");
      if (random.nextInt(3) == 0) {
        lines.add("  d = less_than(" + any() + ", " + any() + ")");
        lines.add("  " + name + " = logical_and(" + name + ", d)");
      }
    }

    Program program() {
      for (String name : NUMBERS) {
        start.add(
            fill(
                name,
                name.equals("n") || name.equals("m") ? 4 + random.nextInt(9) : random.nextInt(3),
                3));
      }
      statements(1, body, 1 + random.nextInt(3));
      boolean isNested = random.nextInt(3) == 0;
      if (isNested) {
        body.add("  e = fill_constant() {shape: [1L], dtype: 0, value: 1.0}");
        body.add(
            "  while(X: i j k n m list x e, Condition: e)"
                + " -> (Out: i j k n m list e, StepScopes: s2) {sub_block: 2}");
        statements(2, inner, 1 + random.nextInt(3));
        condition("e", inner);
        statements(1, body, random.nextInt(2));
      }
      condition("c", body);
      List<String> lines = new ArrayList<>();
      lines.add("default int64[1]");
      lines.add("block 0");
      lines.add("  feed x: fp32[1,8]");
      lines.add("  var c: bool[1]");
      lines.add("  var d: bool[1]");
      lines.add("  var e: bool[1]");
      lines.add("  var list: array fp32[1,8]");
      lines.addAll(start);
      for (int i = 0; i < recorderCount; i++) {
        lines.add(fill("most" + i, -1000, 3));
        lines.add(fill("least" + i, 1000, 3));
      }
      lines.add("  c = fill_constant() {shape: [1L], dtype: 0, value: 1.0}");
      lines.add(
          "  while(X: i j k n m list x c, Condition: c)"
              + " -> (Out: i j k n m list c, StepScopes: s) {sub_block: 1}");
      lines.add("block 1 parent 0");
      lines.addAll(body);
      if (isNested) {
        lines.add("block 2 parent 1");
        lines.addAll(inner);
      }
      return ProgramText.parse(String.join("\n", lines));
    }

    ImmutableSet<String> wanted() {
      ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
      for (int i = 0; i < recorderCount; i++) {
        wanted.add("most" + i, "least" + i);
      }
      return wanted.build();
    }
  }

  @Test
  void randomLoops_stayWithinTheirLimits() {
    int bounded = 0;
    int finished = 0;
    int loops = LongForm.tries(/* usual= */ 1_000, /* all= */ 3_000);
    for (long seed = 0; seed < loops; seed++) {
      RandomLoop loop = new RandomLoop(seed);
      Program program = loop.program();
      Map<String, Long> results = run(program, loop.wanted());
      if (results == null) {
        continue;
      }
      finished++;
      Sizes sizes = infer(program);
      for (Map.Entry<String, Integer> recorder : loop.recorders.entrySet()) {
        String[] place = recorder.getKey().split("/", -1);
        Operation operation =
            program.block(Integer.parseInt(place[0])).operations().get(Integer.parseInt(place[1]));
        AbstractShape shape = requireNonNull(sizes.written(operation, 0));
        long most = requireNonNull(results.get("most" + recorder.getValue()));
        if (most < -999 || !shape.hasElements() || !shape.elements().get(0).isKnown()) {
          continue;
        }
        SymbolicExtent number = shape.elements().get(0);
        long least = requireNonNull(results.get("least" + recorder.getValue()));
        String message =
            "seed "
                + seed
                + ", "
                + operation
                + ": "
                + number
                + " is "
                + least
                + " to "
                + most
                + " in "
                + ProgramText.print(program);
        assertWithMessage(message).that((double) most).isAtMost(number.value());
        if (number.isExact()) {
          assertWithMessage(message).that((double) least).isEqualTo(number.value());
        } else {
          assertWithMessage(message).that(least).isAtLeast(0);
          bounded++;
        }
      }
    }
    assertThat(finished).isAtLeast(loops / 3);
    assertThat(bounded).isAtLeast(loops / 6);
  }

  /** Returns the wanted numbers after a run; null if the loop does not end or an index is wrong. */
  private static @Nullable Map<String, Long> run(Program program, ImmutableSet<String> wanted) {
    Tensor x = Tensor.of(ImmutableLongArray.of(1, 8), new float[8]);
    ExecutionResult result;
    try {
      result =
          Executor.run(
              program,
              ImmutableMap.of("x", LodTensor.of(x)),
              ImmutableMap.of(),
              ExecutionOptions.defaults().wanting(wanted).withMaxSteps(2_000));
    } catch (ProgramException e) {
      return null;
    }
    Map<String, Long> numbers = new TreeMap<>();
    for (ExecutionResult.Output output : result.outputs()) {
      numbers.put(output.name(), output.tensor().tensor().getLong(0));
    }
    return numbers;
  }
}
