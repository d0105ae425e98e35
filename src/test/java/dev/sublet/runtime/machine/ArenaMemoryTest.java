package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.machine.ControlFlowTest.feeds;
import static dev.sublet.runtime.machine.ControlFlowTest.floats;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans that are right give the same bits; plans that are wrong do not stay unnoticed. */
final class ArenaMemoryTest {

  /** Nodes 0 to 4: x is there throughout, a from 3 to 6, b from 5 to 8, c from 7 on. */
  private static final String PROGRAM =
      """
      version 2003002
      default fp32[4]
      block 0
        feed x: fp32[4]
        a = scale(x) {scale: 2.0}
        b = sum(a x)
        c = relu(b)
        fetch(c)
      """;

  private static final Tensor X = floats(1, -2, 3, -4);
  private static final Tensor EXPECTED = floats(3, 0, 9, 0);

  /** Places, one a line: name, offset, bytes, and the points from and before which it has them. */
  private static MemoryPlan plan(String lines) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    for (String line : Splitter.on("; ").split(lines)) {
      List<String> words = Splitter.on(' ').splitToList(line);
      allocations.add(
          new Allocation(
              new VariableId(0, words.get(0)),
              0,
              Long.parseLong(words.get(1)),
              Long.parseLong(words.get(2)),
              ImmutableList.of(
                  new Interval(Integer.parseInt(words.get(3)), Integer.parseInt(words.get(4))))));
    }
    return new MemoryPlan(
        "",
        "hand",
        1,
        ImmutableList.of(new Arena("cpu", 64, 0, 1)),
        allocations.build(),
        ImmutableList.of(),
        ImmutableList.of());
  }

  private static Tensor run(String program, String plan, Tensor x) {
    return Executor.run(
            ProgramText.parse(program),
            feeds("x", x),
            ImmutableMap.of(),
            ExecutionOptions.defaults().in(plan(plan)),
            SmallKernels.KERNELS)
        .outputs()
        .get(0)
        .tensor()
        .tensor();
  }

  private static String errorOf(String program, String plan) {
    return String.valueOf(
        assertThrows(ProgramException.class, () -> run(program, plan, X)).getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    // Apart.
    "x 0 16 0 10; a 16 16 3 6; b 32 16 5 8; c 48 16 7 10",
    // c where a was; only some are planned.
    "x 0 16 0 10; a 16 16 3 6; c 16 16 7 10",
    // relu works in place.
    "x 0 16 0 10; a 16 16 3 6; b 32 16 5 7; c 32 16 7 10",
    // More room than needed, offsets of any alignment.
    "x 3 20 0 10; a 24 16 3 6; b 41 23 5 8"
  })
  void aRightPlan_givesTheSameBits(String plan) {
    assertThat(run(PROGRAM, plan, X)).isEqualTo(EXPECTED);
  }

  @ParameterizedTest
  @CsvSource({
    // x and b are live together, and overlap in four bytes.
    "x 0 16 0 10; a 16 16 3 6; b 12 16 5 8; c 48 16 7 10",
    // b is written over x, which is not read later, but by the same operator; only the first of
    // the addends may be the sum.
    "x 0 16 0 6; a 16 16 3 6; b 0 16 5 8; c 48 16 7 10",
    // relu would work in place, but not shifted.
    "x 0 16 0 10; a 16 16 3 6; b 32 16 5 8; c 36 16 7 10",
    // ... and not in a place of another size.
    "x 0 16 0 10; a 16 16 3 6; b 32 16 5 8; c 32 20 7 10",
  })
  void aWrongPlan_givesOtherBits(String plan) {
    assertThat(run(PROGRAM, plan, X)).isNotEqualTo(EXPECTED);
  }

  @Test
  void anInPlacePair_isLegalOnlyWhereTheProgramsVersionHasIt() {
    String plan = "b 0 16 5 8; c 0 16 7 10";

    assertThat(run(PROGRAM, plan, X)).isEqualTo(EXPECTED);
    assertThat(run(PROGRAM.replace("version 2003002", "version 1003000"), plan, X))
        .isNotEqualTo(EXPECTED);
  }

  @Test
  void anOverlapThatDamagesNothingInThisRun_isNoticedToo() {
    // The catalog has no such pair: the kernel may read an element after it has written it.
    String program = PROGRAM.replace("relu(b)", "sign(b)");
    Tensor zeros = floats(0, 0, 0, 0);

    assertThat(run(program, "b 0 16 5 8; c 16 16 7 10", zeros)).isEqualTo(floats(0, 0, 0, 0));
    assertThat(run(program, "b 0 16 5 8; c 0 16 7 10", zeros)).isNotEqualTo(floats(0, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a 0 16 4 6          | block 0, op 1 (scale), variable 'a': the plan gives it no place at"
            + " point 3",
        "a 0 16 3 4          | block 0, op 2 (sum), variable 'a': the plan gives it no place at"
            + " point 4",
        "a 0 12 3 6          | block 0, op 1 (scale), variable 'a': the plan gives it 12 bytes, but"
            + " float32[4] takes 16",
        "x 0 12 0 10         | block 0, variable 'x': the plan gives it 12 bytes, but float32[4]"
            + " takes 16",
        "a 56 16 3 6         | variable 'a': the plan places it outside its arena",
        "z 0 16 3 6          | the plan places 0:z, which the program does not declare",
      })
  void aPlanThatDoesNotFit_isAnError(String plan, String message) {
    assertThat(errorOf(PROGRAM, plan)).isEqualTo(message);
  }

  private static final String VIEWS =
      """
      version 2003002
      block 0
        feed x: fp32[4]
        var r: fp32[2,2]
        var s: fp32[0,4]
        var p: fp32[1,2]
        var q: fp32[1,2]
        var j: fp32[2,2]
        var y: fp32[2,2]
        (Out: r, XShape: s) = reshape2(x) {shape: [2, 2]}
        p q = split(r) {num: 2, axis: 0}
        j = concat(q p) {axis: 0}
        y = elementwise_mul(j, r)
        fetch(y)
      """;

  @ParameterizedTest
  @CsvSource({
    "r 0 16 3 10; p 16 8 5 8; q 24 8 5 8; j 32 16 7 10",
    // r is x; p and q are the halves of r; j is made of q and p, which are copies elsewhere.
    "x 0 16 0 12; r 0 16 3 10; p 0 8 5 8; q 8 8 5 8; j 32 16 7 10",
    "x 0 16 0 12; r 0 16 3 10; p 40 8 5 8; q 32 8 5 8; j 32 16 7 10",
  })
  void views_mayLieInEachOther(String plan) {
    Tensor expected = Tensor.of(shape(2, 2), 3f, 8f, 3f, 8f);

    assertThat(run(VIEWS, plan, X)).isEqualTo(expected);
  }

  private static ImmutableLongArray shape(long... extents) {
    return ImmutableLongArray.copyOf(extents);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x 0 16 0 12; r 4 16 3 10 | block 0, op 1 (reshape2), variable 'r': the plan lays it over"
            + " 'x', whose bytes it does not repeat",
        "r 0 16 3 10; p 8 8 5 8; q 0 8 5 8 | block 0, op 2 (split), variable 'p': the plan lays it"
            + " over 'r', whose bytes it does not repeat",
        "r 0 16 3 10; p 0 8 5 8; q 4 8 5 8 | block 0, op 2 (split), variable 'q': the plan gives it"
            + " bytes that another output has, 'p'",
        "p 0 8 5 8; q 8 8 5 8; j 0 16 7 10 | block 0, op 3 (concat), variable 'j': the plan lays it"
            + " over 'q', whose bytes it does not repeat",
      })
  void views_thatAreNone_areErrors(String plan, String message) {
    assertThat(errorOf(VIEWS, plan)).isEqualTo(message);
  }

  @Test
  void aDeletedVariable_hasNoValue() {
    String program = PROGRAM.replace("fetch(c)", "delete_var(c)\n  fetch(c)");
    String plan = "c 0 16 7 14";

    assertThat(errorOf(program, plan))
        .isEqualTo(
            "block 0, op 5 (fetch), variable 'c': input X has no value: nothing has written it");
  }
}
