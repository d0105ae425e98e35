package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
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
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The slots of an array are as many as the elements that a loop still reads. */
final class ArrayWindowsTest {

  /**
   * Returns a loop over {@code a} with a counter {@code i} from 2 on, as long as {@code i} is less
   * than a number that is fed. Before it, {@code init} writes elements of {@code a} at the indices
   * {@code k0} to {@code k3}.
   */
  private static Program loop(String init, String after, String... body) {
    List<String> lines = new ArrayList<>();
    lines.add("default fp32[4]");
    lines.add("block 0");
    lines.add("  feed x");
    lines.add("  feed n: int64[1]");
    for (String name : new String[] {"i", "j", "k0", "k1", "k2", "k3", "late"}) {
      lines.add("  var " + name + ": int64[1]");
    }
    lines.add("  var c: bool[1]");
    lines.add("  var a: array fp32[4]");
    lines.add("  var len: int64[1]");
    for (int k = 0; k < 4; k++) {
      lines.add("  k" + k + " = fill_constant() {shape: [1L], dtype: 3, value: " + k + ".0}");
      lines.add("  x" + k + " = scale(x) {scale: 1.0, bias: " + k + ".0}");
    }
    lines.add("  i = fill_constant() {shape: [1L], dtype: 3, value: 2.0}");
    lines.add("  sum = tanh(x)");
    for (String line : init.split(";", -1)) {
      lines.add("  " + line.trim());
    }
    lines.add("  c = less_than(i, n)");
    lines.add(
        "  while(X: i j a c n x sum, Condition: c)"
            + " -> (Out: i j a c sum, StepScopes: s) {sub_block: 1}");
    for (String line : after.split(";", -1)) {
      lines.add("  " + line.trim());
    }
    lines.add("  y = tanh(sum)");
    lines.add("  fetch(y)");
    lines.add("block 1 parent 0");
    for (String line : body) {
      lines.add("  " + line);
    }
    lines.add("  c = less_than(i, n)");
    return ProgramText.parse(String.join("\n", lines));
  }

  private static long slots(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    LodCarriers lod = LodCarriers.find(program, catalog);
    Sizes sizes = ShapeInference.infer(program, catalog, lod, ShapeOptions.defaults());
    int array = program.declared(0, "a");
    return sizes.isKnown(array) ? sizes.slots(array) : 0;
  }

  private static final String FIRST = "a = write_to_array(x, I: k2)";

  @Test
  void elementReadBeforeTheNextIsWritten_needsOneSlot() {
    String[] body = {
      "e = read_from_array(a, I: i)",
      "sum = elementwise_add(sum, e)",
      "i = increment(i) {step: 1.0}",
      "a = write_to_array(sum, I: i)"
    };
    assertThat(slots(loop(FIRST, "", body))).isEqualTo(1);
  }

  @Test
  void elementReadAfterTheNextIsWritten_needsTwoSlots() {
    String[] body = {
      "j = scale(i) {scale: 1.0, bias: 1.0}",
      "a = write_to_array(sum, I: j)",
      "e = read_from_array(a, I: i)",
      "sum = elementwise_add(sum, e)",
      "i = assign(j)"
    };
    assertThat(slots(loop(FIRST, "", body))).isEqualTo(2);
    assertThat(slots(loop(FIRST, "len = lod_array_length(a)", body))).isEqualTo(2);
  }

  private static final String[] THIRD_LAST = {
    "j = scale(i) {scale: 1.0, bias: -2.0}",
    "e = read_from_array(a, I: j)",
    "sum = elementwise_add(sum, e)",
    "i = increment(i) {step: 1.0}",
    "a = write_to_array(sum, I: i)"
  };

  private static final String THREE =
      "a = write_to_array(x, I: k0); a = write_to_array(x, I: k1); a = write_to_array(x, I: k2)";

  @Test
  void firstElementsWrittenBeforeTheLoop_areTheOnesThatItReads() {
    assertThat(slots(loop(THREE, "", THIRD_LAST))).isEqualTo(3);
    String missing = "a = write_to_array(x, I: k0); a = write_to_array(x, I: k2)";
    assertThat(slots(loop(missing, "", THIRD_LAST))).isEqualTo(0);
    assertThat(slots(loop(THREE + "; a = write_to_array(x, I: k3)", "", THIRD_LAST))).isEqualTo(0);
  }

  @Test
  void otherReads_needAllElements() {
    assertThat(slots(loop(THREE, "late = scale(k1); e2 = read_from_array(a, I: late)", THIRD_LAST)))
        .isEqualTo(0);
    String[] twice = {
      "e = read_from_array(a, I: i)",
      "a = write_to_array(x, I: i)",
      "i = increment(i) {step: 1.0}",
      "a = write_to_array(e, I: i)"
    };
    assertThat(slots(loop(FIRST, "", twice))).isEqualTo(0);
    String[] fast = {
      "e = read_from_array(a, I: i)", "i = increment(i) {step: 2.0}", "a = write_to_array(e, I: i)"
    };
    assertThat(slots(loop(FIRST, "", fast))).isEqualTo(0);
  }

  /** A uint8 goes from 255 to 0, and then its slot is another one. */
  @Test
  void counterThatWraps_needsAllElements() {
    String text = ProgramText.print(loop(THREE, "", THIRD_LAST));
    Program program = ProgramText.parse(text.replaceAll("var ([ij]): int64", "var $1: uint8"));
    assertThat(slots(program)).isEqualTo(0);
  }

  /** A random loop that reads and writes elements at the counter plus small numbers. */
  private static Program random(Random random) {
    String two = "a = write_to_array(x1, I: k1); a = write_to_array(x, I: k2)";
    String[] inits = {FIRST, two, THREE};
    StringBuilder init = new StringBuilder(inits[random.nextInt(inits.length)]);
    if (random.nextInt(6) == 0) {
      init.append("; a = write_to_array(x3, I: k").append(random.nextInt(4)).append(')');
    }
    List<String> body = new ArrayList<>();
    int writes = random.nextInt(5) == 0 ? 2 : 1;
    int reads = 1 + random.nextInt(3);
    boolean counts = false;
    while (writes > 0 || reads > 0 || !counts) {
      int choice = random.nextInt(3);
      int offset = choice == 0 ? random.nextInt(2) : -random.nextInt(3);
      body.add("j = scale(i) {scale: 1.0, bias: " + offset + ".0}");
      String index = offset == 0 && random.nextBoolean() ? "i" : "j";
      switch (choice) {
        case 0 -> {
          if (writes-- > 0) {
            body.add("w = scale(sum) {scale: 0.5, bias: " + random.nextInt(9) + ".0}");
            body.add("a = write_to_array(w, I: " + index + ")");
          }
        }
        case 1 -> {
          if (reads-- > 0) {
            body.add("e = read_from_array(a, I: " + index + ")");
            body.add("sum = elementwise_sub(e, sum)");
          }
        }
        default -> {
          if (!counts) {
            counts = true;
            body.add("i = increment(i) {step: " + (random.nextInt(6) == 0 ? 2 : 1) + ".0}");
          }
        }
      }
    }
    String[] afters = {
      "", "", "len = lod_array_length(a)", "e2 = read_from_array(a, I: k2); sum = relu(e2)"
    };
    String after = afters[random.nextInt(afters.length)];
    return loop(init.toString(), after, body.toArray(new String[0]));
  }

  @Test
  void randomLoops_computeTheSameInTheirSlots() {
    int[] planned = new int[8];
    int runs = 0;
    int different = 0;
    int loops = LongForm.tries(/* usual= */ 500, /* all= */ 1_500);
    for (long seed = 0; seed < loops; seed++) {
      Program program = random(new Random(seed));
      Tensor expected = run(program, ExecutionOptions.defaults());
      if (expected == null) {
        continue;
      }
      MemoryPlan plan = Transpiler.plan(program, TranspileOptions.defaults()).plan();
      String message = "seed " + seed + ": " + ProgramText.print(program);
      Tensor computed = run(program, ExecutionOptions.defaults().in(plan));
      assertWithMessage(message).that(computed).isEqualTo(expected);
      runs++;
      for (Allocation allocation : plan.allocations()) {
        if (allocation.variable().name().equals("a")) {
          planned[(int) Math.min(7, allocation.slots())]++;
          if (allocation.slots() > 1) {
            MemoryPlan smaller = withFewerSlots(plan, allocation);
            assertWithMessage(message)
                .that(Verifier.verifyPlan(program, smaller, TranspileOptions.defaults()).isValid())
                .isFalse();
            Tensor wrong = run(program, ExecutionOptions.defaults().in(smaller));
            different += wrong == null || !wrong.equals(expected) ? 1 : 0;
          }
        }
      }
    }
    assertThat(runs).isAtLeast(loops / 5);
    assertThat(planned[1]).isAtLeast(loops / 150);
    assertThat(planned[2]).isAtLeast(loops / 150);
    assertThat(planned[3]).isAtLeast(loops / 150);
    assertThat(different).isAtLeast((planned[2] + planned[3]) / 2);
  }

  private static MemoryPlan withFewerSlots(MemoryPlan plan, Allocation array) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    for (Allocation each : plan.allocations()) {
      long fewer = each.slots() - 1;
      allocations.add(
          each.equals(array)
              ? new Allocation(
                      each.variable(),
                      each.arena(),
                      each.offset(),
                      fewer * each.slotBytes(),
                      each.live())
                  .withSlots(fewer)
              : each);
    }
    return plan.withAllocations(allocations.build());
  }

  /** Returns the result for 7 iterations; null if the program reads an element without a value. */
  private static @Nullable Tensor run(Program program, ExecutionOptions options) {
    ImmutableMap<String, LodTensor> feeds =
        ImmutableMap.of(
            "x",
            LodTensor.of(Tensor.of(ImmutableLongArray.of(4), 0.1f, 0.2f, 0.3f, 0.4f)),
            "n",
            LodTensor.of(Tensor.of(ImmutableLongArray.of(1), 9L)));
    ExecutionResult result;
    try {
      result = Executor.run(program, feeds, ImmutableMap.of(), options);
    } catch (ProgramException e) {
      if (options.plan().isPresent()) {
        throw e;
      }
      return null;
    }
    return result.outputs().get(0).tensor().tensor();
  }
}
