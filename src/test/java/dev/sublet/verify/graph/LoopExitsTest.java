package dev.sublet.verify.graph;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.InferredSizes;
import dev.sublet.verify.plan.PlanValidator;
import dev.sublet.verify.rewrite.ProgramNotation;
import dev.sublet.verify.rewrite.RewriteValidator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Sharing in unrolled loops that is legal only because the loop ends if a copy is skipped, for both
 * validators; and the same sharing where it does not end.
 */
final class LoopExitsTest {

  /**
   * a goes to b in the first copy and back in the second. Nodes: 0 fill, 1 tanh, 2 head, 3 t, 4 w,
   * 5 b, 6 less_than, 7 branch, 8 u, 9 a, 10 less_than, exits 11 and 12, fetch 13.
   */
  private static final String TWO_COPIES =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var c BOOL[16]
      var d BOOL[16]
      var a FP32[4]
      var w FP32[4]
      var b FP32[4]
      op fill_constant -> Out=c
      op tanh X=x -> Out=a
      op while X=a Condition=c -> Out=b,c | sub_block=@1
      op fetch X=b -> Out=fetch
      block 1
      var t FP32[4]
      op tanh X=a -> Out=t
      op tanh X=t -> Out=w
      op tanh X=w -> Out=b
      op less_than X=b Y=b -> Out=c
      op conditional_block Cond=c Input=b -> Out=c | is_scalar_condition=true sub_block=@2
      block 2 parent 1
      var u FP32[4]
      op tanh X=b -> Out=u
      op tanh X=u -> Out=a
      op less_than X=a Y=a -> Out=c
      """;

  private static final String PLAN =
      """
      x 0 0-28
      c 16 1-28
      a 32 3-8 19-26
      w 32 9-12
      b 48 4-6 11-28
      t 64 7-10
      u 64 17-20
      """;

  /** Programs in which skipping the conditional block does not end the loop. */
  private static final ImmutableList<String> OTHERS =
      ImmutableList.of(
          TWO_COPIES.replace("Cond=c", "Cond=d"),
          TWO_COPIES.replace("Cond=c", "Cond=c,d"),
          TWO_COPIES.replace("is_scalar_condition=true ", ""),
          TWO_COPIES.replace("block 2", "op tanh X=b -> Out=t\nblock 2"),
          TWO_COPIES.replace("var t", "var c BOOL[16]\nvar t"));

  private final OperatorCatalog catalog = ProgramNotation.catalog();

  @Test
  void valuesOfSkippedCopiesAreDead() {
    assertThat(rename(TWO_COPIES, "w", "a")).isEqualTo("valid");
    assertThat(plan(TWO_COPIES, PLAN)).isEqualTo("valid");
    String three = threeCopies(TWO_COPIES);
    assertThat(rename(three, "w", "a")).isEqualTo("valid");
    assertThat(rename(three, "v", "a")).isEqualTo("valid");
  }

  /** a goes to b, b to z, z back to a. */
  private static String threeCopies(String two) {
    String third =
        """
        op conditional_block Cond=c Input=z -> Out=c | is_scalar_condition=true sub_block=@3
        block 3 parent 2
        op tanh X=z -> Out=v
        op relu X=v -> Out=a
        op less_than X=a Y=a -> Out=c
        """;
    return two.replace(
            "op tanh X=u -> Out=a\nop less_than X=a Y=a -> Out=c\n",
            "op tanh X=u -> Out=z\nop less_than X=z Y=z -> Out=c\n" + third)
        .replace("var w", "var v FP32[4]\nvar z FP32[4]\nvar w");
  }

  @Test
  void otherConditionalsMayBeFollowedByAnotherIteration() {
    for (String other : OTHERS) {
      assertThat(rename(other, "t", "t")).isEqualTo("valid");
      assertThat(rename(other, "w", "a"))
          .contains("op 0 (tanh), variable 'a': is read, but 'a' may have been overwritten");
      assertThat(plan(other, PLAN)).contains("variable 'a': is read, but its bytes may hold");
    }
  }

  @Test
  void whatIsNeededBehindTheLoopStays() {
    String fetched = TWO_COPIES.replace("op fetch X=b", "op fetch X=a");
    assertThat(rename(fetched, "w", "a")).contains("is read, but 'a' may have been overwritten");
    assertThat(plan(fetched, PLAN.replace("a 32 3-8 19-26", "a 32 3-8 19-28")))
        .contains("variable 'a': is read, but its bytes may hold another value");
  }

  @Test
  void theLoopLooksAtItsConditionOnceMore() {
    String moved = PLAN.replace("c 16 1-28", "c 16 1-6 21-28\nc 80 13-16");
    assertThat(plan(TWO_COPIES, moved))
        .contains("op 2 (while), variable 'c': is read at offset 16 of arena 0, but its value is");
    String copied =
        TWO_COPIES
            .replace("Condition=c", "Condition=d")
            .replace("op tanh X=x", "op assign X=c -> Out=d\nop tanh X=x")
            .replace("X=a Y=a -> Out=c", "X=a Y=a -> Out=d");
    assertThat(validate(TWO_COPIES, copied))
        .contains("op 2 (while), variable 'c': is read from 'd', which may hold another value");
    // Between the skipped copy and the loop's head the rewritten program may not do anything.
    String changed = copied.replace("block 2", "op assign X=c -> Out=d\nblock 2");
    assertThat(validate(TWO_COPIES, changed)).isNotEqualTo("valid");
  }

  @Test
  void observedLocalsMustHoldTheirValuesWhenACopyIsSkipped() {
    String local =
        TWO_COPIES
            .replace("var t", "var k FP32[4]\nvar t")
            .replace("op tanh X=a -> Out=t", "op tanh X=a -> Out=k\nop tanh X=a -> Out=t");
    String late =
        local.replace("op tanh X=u -> Out=a", "op tanh X=u -> Out=a\nop tanh X=a -> Out=k");
    String lost =
        late.replace("op tanh X=t -> Out=w\nop tanh X=w", "op tanh X=t -> Out=k\nop tanh X=k");
    ProofOptions keep = new ProofOptions(ImmutableSet.of(), ImmutableSet.of("k"), false);
    assertThat(validate(late, late, keep)).isEqualTo("valid");
    assertThat(validate(late, lost, keep)).contains("variable 'k': is observed, but may not hold");
  }

  private String rename(String text, String from, String to) {
    String renamed = text.replaceAll("(?<=[=,])" + from + "(?=[,\\s])", to);
    return validate(text, from.equals(to) ? text : renamed.replaceAll("var " + from + " .*\n", ""));
  }

  private String validate(String original, String rewritten) {
    return validate(original, rewritten, ProofOptions.defaults());
  }

  private String validate(String original, String rewritten, ProofOptions options) {
    Program first = ProgramNotation.parse(original);
    return RewriteValidator.validate(
            first,
            ProgramNotation.parse(rewritten),
            catalog,
            InferredSizes.of(first),
            MemorySpaces.find(first, catalog, MemorySpaces.Target.CPU),
            options)
        .toString();
  }

  /** Lines {@code name offset begin-end begin-end}; all other variables are unplanned. */
  private String plan(String text, String plan) {
    Program program = ProgramNotation.parse(text);
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    Set<VariableId> planned = new HashSet<>();
    for (String line : plan.split("\n", -1)) {
      if (!line.isEmpty()) {
        List<String> words = List.of(line.split(" ", -1));
        Allocation allocation = allocation(program, words);
        planned.add(allocation.variable());
        allocations.add(allocation);
      }
    }
    for (Variable variable : program.variables()) {
      if (!planned.contains(variable.id())) {
        unplanned.add(new Unplanned(variable.id(), "test"));
      }
    }
    MemoryPlan memory =
        new MemoryPlan(
            "",
            "test",
            1,
            ImmutableList.of(new Arena("cpu", 96, 0, 4)),
            allocations.build(),
            unplanned.build(),
            ImmutableList.of());
    return PlanValidator.validate(
            program,
            memory,
            catalog,
            InferredSizes.of(program),
            MemorySpaces.find(program, catalog, MemorySpaces.Target.CPU),
            ProofOptions.defaults())
        .toString();
  }

  private static Allocation allocation(Program program, List<String> words) {
    VariableId id = null;
    for (Variable variable : program.variables()) {
      id = variable.name().equals(words.get(0)) ? variable.id() : id;
    }
    if (id == null) {
      throw new IllegalArgumentException(words.get(0));
    }
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    for (String interval : words.subList(2, words.size())) {
      List<String> points = List.of(interval.split("-", -1));
      live.add(new Interval(Integer.parseInt(points.get(0)), Integer.parseInt(points.get(1))));
    }
    return new Allocation(id, 0, Long.parseLong(words.get(1)), 16, live.build());
  }
}
