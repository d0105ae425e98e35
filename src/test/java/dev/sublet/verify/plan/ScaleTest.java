package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.VariableId;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.InferredSizes;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.rewrite.ProgramNotation;
import dev.sublet.verify.rewrite.RewriteValidator;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** The validators stay near-linear for long programs and for deep nests. */
final class ScaleTest {

  private static final int LENGTH = 50_000;
  private static final int DEPTH = 60;

  private final OperatorCatalog catalog = ProgramNotation.catalog();

  @Test
  void aLongChainIsFast() {
    Program program = chain();
    ProgramEditor editor = ProgramEditor.of(program);
    for (int i = 2; i < LENGTH - 1; i++) {
      editor.merge(program.declared(0, "v" + i), program.declared(0, "v" + i % 2));
    }
    Program rewritten = editor.build();
    MemoryPlan plan = chainPlan();
    Assertions.assertTimeout(
        Duration.ofSeconds(60),
        () -> assertThat(validate(program, rewritten).toString()).isEqualTo("valid"));
    Assertions.assertTimeout(
        Duration.ofSeconds(60),
        () -> assertThat(validate(program, plan).toString()).isEqualTo("valid"));
  }

  @Test
  void aDeepNestOfLoopsIsFast() {
    StringBuilder text =
        new StringBuilder("var fetch FETCH_LIST persistable\nvar x FP32[4] feed\n");
    text.append("var c BOOL[16]\nvar s FP32[4]\nop fill_constant -> Out=c\nop tanh X=x -> Out=s\n");
    for (int depth = 1; depth <= DEPTH; depth++) {
      text.append("op while X=s Condition=c -> Out=s,c | sub_block=@").append(depth).append('\n');
      text.append("op tanh X=s -> Out=s\n");
      if (depth == 1) {
        text.append("op fetch X=s -> Out=fetch\n");
      }
      text.append("block " + depth + " parent " + (depth - 1) + "\n");
      text.append("var a" + depth + " FP32[4]\nvar b" + depth + " FP32[4]\n");
      text.append("var e" + depth + " FP32[4]\nop tanh X=s -> Out=a" + depth + "\n");
      text.append("op tanh X=a" + depth + " -> Out=b" + depth + "\n");
      text.append("op tanh X=b" + depth + " -> Out=e" + depth + "\n");
      text.append("op tanh X=e" + depth + " -> Out=s\n");
    }
    Program program = ProgramNotation.parse(text.toString());
    ProgramEditor editor = ProgramEditor.of(program);
    for (int depth = 1; depth <= DEPTH; depth++) {
      editor.merge(program.declared(depth, "e" + depth), program.declared(depth, "a" + depth));
    }
    Program rewritten = editor.build();
    Assertions.assertTimeout(
        Duration.ofSeconds(20),
        () -> assertThat(validate(program, rewritten).toString()).isEqualTo("valid"));
    Assertions.assertTimeout(
        Duration.ofSeconds(20),
        () -> assertThat(validate(program, nestPlan(program)).toString()).isEqualTo("valid"));
  }

  /**
   * All temporaries of all bodies in the same three regions: a body's are dead when the next
   * begins.
   */
  private MemoryPlan nestPlan(Program program) {
    NodeOrder nodes = NodeOrder.of(program, catalog);
    int end = 2 * nodes.nodeCount();
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    allocations.add(allocation(0, "x", 0, 0, end));
    allocations.add(allocation(0, "c", 16, 1, end));
    allocations.add(allocation(0, "s", 32, 3, end));
    for (int node = 0; node < nodes.nodeCount(); node++) {
      if (nodes.isHead(node)) {
        int depth = nodes.body(node);
        allocations.add(allocation(depth, "a" + depth, 48, 2 * node + 3, 2 * node + 6));
        allocations.add(allocation(depth, "b" + depth, 64, 2 * node + 5, 2 * node + 8));
        allocations.add(allocation(depth, "e" + depth, 48, 2 * node + 7, 2 * node + 10));
      }
    }
    return new MemoryPlan(
        "",
        "test",
        1,
        ImmutableList.of(new Arena("cpu", 80, 0, 16)),
        allocations.build(),
        ImmutableList.of(),
        ImmutableList.of());
  }

  private static Program chain() {
    StringBuilder text = new StringBuilder("var x FP32[4] feed\n");
    for (int i = 0; i < LENGTH; i++) {
      text.append("var v").append(i).append(" FP32[4]\n");
    }
    text.append("op tanh X=x -> Out=v0\n");
    for (int i = 1; i < LENGTH; i++) {
      text.append("op tanh X=v" + (i - 1) + " -> Out=v" + i + "\n");
    }
    return ProgramNotation.parse(text.toString());
  }

  private static MemoryPlan chainPlan() {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    allocations.add(allocation(0, "x", 0, 0, 2 * LENGTH));
    for (int i = 0; i < LENGTH; i++) {
      int end = Math.min(2 * i + 4, 2 * LENGTH);
      allocations.add(allocation(0, "v" + i, 16 + 16 * (i % 2), 2 * i + 1, end));
    }
    return new MemoryPlan(
        "",
        "test",
        1,
        ImmutableList.of(new Arena("cpu", 48, 0, 16)),
        allocations.build(),
        ImmutableList.<Unplanned>of(),
        ImmutableList.of());
  }

  private static Allocation allocation(int block, String name, long offset, int begin, int end) {
    return new Allocation(
        new VariableId(block, name), 0, offset, 16, ImmutableList.of(new Interval(begin, end)));
  }

  private ValidationResult validate(Program original, Program rewritten) {
    return RewriteValidator.validate(
        original,
        rewritten,
        catalog,
        InferredSizes.of(original),
        MemorySpaces.find(original, catalog, MemorySpaces.Target.CPU),
        ProofOptions.defaults());
  }

  private ValidationResult validate(Program program, MemoryPlan plan) {
    return PlanValidator.validate(
        program,
        plan,
        catalog,
        InferredSizes.of(program),
        MemorySpaces.find(program, catalog, MemorySpaces.Target.CPU),
        ProofOptions.defaults());
  }
}
