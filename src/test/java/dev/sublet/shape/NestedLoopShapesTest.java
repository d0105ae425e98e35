package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is inferred of nested loops covers what their operators make in any run. */
final class NestedLoopShapesTest {

  private static final int MAX_DEPTH = 4;
  private static final int MAX_STEPS = 200;

  /** Each program begins with so many operators that are in no draft. */
  private static final int HEAD = 4;

  /** A program's blocks as lists of statements, and the names that these write. */
  private record Draft(List<List<String>> blocks, List<String> names) {}

  /** An operator of a run: where it is in the program, and its text. */
  private record Step(int block, int index, String text) {}

  @Test
  void randomRuns_areCovered() {
    int exact = 0;
    int open = 0;
    for (int seed = 0; seed < 250; seed++) {
      Random random = new Random(seed);
      Draft draft = new Draft(new ArrayList<>(), new ArrayList<>());
      addBlock(draft, ImmutableList.of("a", "b", "x"), 0, random);
      Program program = ProgramText.parse(print(draft));
      Sizes sizes = infer(program);
      for (int run = 0; run < 4; run++) {
        List<Step> steps = new ArrayList<>();
        run(draft, 0, steps, random);
        Program straight = ProgramText.parse(print(draft, steps));
        Sizes made = infer(straight);
        for (int i = 0; i < steps.size(); i++) {
          Step step = steps.get(i);
          Operation operation = program.block(step.block()).operations().get(step.index());
          AbstractShape inferred = requireNonNull(sizes.written(operation, 0));
          Operation executed = straight.block(0).operations().get(HEAD + i);
          AbstractShape actual = requireNonNull(made.written(executed, 0));
          assertWithMessage("seed %s, %s, %s, %s", seed, step, inferred, actual)
              .that(covers(inferred, actual))
              .isTrue();
          exact += isExact(inferred) ? 1 : 0;
          open += isExact(inferred) ? 0 : 1;
        }
      }
    }
    assertThat(exact).isAtLeast(1000);
    assertThat(open).isAtLeast(1000);
  }

  @Test
  void valueOfInnermostLoop_reachesOutermost() {
    StringBuilder text =
        new StringBuilder("default fp32[]\nblock 0\n  feed x: fp32[2,4]\n  feed more: bool[1]\n");
    text.append("  a = relu(x)\n  fixed = relu(x)\n");
    for (int depth = 1; depth <= 60; depth++) {
      text.append("  while(Condition: more, X: a fixed) -> (Out: a fixed, StepScopes: z")
          .append(depth)
          .append(") {sub_block: ")
          .append(depth)
          .append("}\n");
      text.append("block ").append(depth).append(" parent ").append(depth - 1).append('\n');
      text.append("  t").append(depth).append(" = relu(a)\n");
      text.append("  u").append(depth).append(" = relu(fixed)\n");
    }
    text.append("  a = concat(X: a x) {axis: 0}\n");
    Program program = ProgramText.parse(text.toString());
    Sizes sizes = infer(program);
    for (int depth = 1; depth <= 60; depth++) {
      assertThat(sizes.isKnown(program.resolve(depth, "t" + depth))).isFalse();
      assertThat(sizes.bytes(program.resolve(depth, "u" + depth))).isEqualTo(32);
    }
  }

  private static Sizes infer(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    LodCarriers lod = LodCarriers.find(program, catalog);
    return ShapeInference.infer(program, catalog, lod, ShapeOptions.defaults());
  }

  private static void addBlock(Draft draft, List<String> outer, int depth, Random random) {
    List<String> statements = new ArrayList<>();
    draft.blocks().add(statements);
    List<String> visible = new ArrayList<>(outer);
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      if (depth < MAX_DEPTH && random.nextInt(3) == 0) {
        statements.add((random.nextInt(3) > 0 ? "while " : "if ") + draft.blocks().size());
        addBlock(draft, visible, depth + 1, random);
        continue;
      }
      String left = visible.get(random.nextInt(visible.size()));
      String right = visible.get(random.nextInt(visible.size()));
      String name = visible.get(random.nextInt(visible.size()));
      if (name.equals("x") || random.nextInt(3) == 0) {
        name = "v" + draft.names().size();
        draft.names().add(name);
        visible.add(name);
      }
      statements.add(
          name
              + switch (random.nextInt(4)) {
                case 0 -> " = concat(X: " + left + " " + right + ") {axis: 0}";
                case 1 -> " = reshape(" + left + ") {shape: [-1, 2]}";
                default -> " = relu(" + left + ")";
              });
    }
  }

  private static String print(Draft draft) {
    StringBuilder text = new StringBuilder();
    for (int block = 0; block < draft.blocks().size(); block++) {
      text.append(block == 0 ? head() : "block " + block + " parent " + parent(draft, block));
      for (String statement : draft.blocks().get(block)) {
        text.append("\n  ").append(print(statement));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String head() {
    return "default fp32[]\nblock 0\n  feed x: fp32[2,4]\n  feed more: bool[1]\n"
        + "  a = relu(x)\n  b = relu(x)";
  }

  private static int parent(Draft draft, int block) {
    int parent = 0;
    while (!draft.blocks().get(parent).contains("while " + block)
        && !draft.blocks().get(parent).contains("if " + block)) {
      parent++;
    }
    return parent;
  }

  private static String print(String statement) {
    int target = target(statement);
    if (target < 0) {
      return statement;
    }
    return statement.startsWith("while")
        ? "while(Condition: more, X: a b) -> (Out: a b, StepScopes: z) {sub_block: " + target + "}"
        : "conditional_block(Cond: more, Input: a b) -> (Out: a b, Scope: z) {sub_block: "
            + target
            + "}";
  }

  /** The block that a statement runs, or -1. */
  private static int target(String statement) {
    boolean hasBlock = statement.startsWith("while ") || statement.startsWith("if ");
    return hasBlock ? Integer.parseInt(statement.substring(statement.indexOf(' ') + 1)) : -1;
  }

  private static void run(Draft draft, int block, List<Step> steps, Random random) {
    List<String> statements = draft.blocks().get(block);
    int before = block == 0 ? HEAD : 0;
    for (int i = 0; i < statements.size() && steps.size() < MAX_STEPS; i++) {
      int target = target(statements.get(i));
      if (target < 0) {
        steps.add(new Step(block, before + i, statements.get(i)));
        continue;
      }
      int most = statements.get(i).startsWith("while") ? 3 : 1;
      for (int times = random.nextInt(most + 1); times > 0; times--) {
        run(draft, target, steps, random);
      }
    }
  }

  private static String print(Draft draft, List<Step> steps) {
    StringBuilder text = new StringBuilder(head());
    draft.names().forEach(name -> text.append("\n  var ").append(name).append(": fp32[]"));
    steps.forEach(step -> text.append("\n  ").append(step.text()));
    return text.append('\n').toString();
  }

  private static boolean isExact(AbstractShape tensor) {
    return tensor.hasRank() && tensor.dims().stream().allMatch(SymbolicExtent::isExact);
  }

  private static boolean covers(AbstractShape inferred, AbstractShape actual) {
    if (!isExact(actual) || !inferred.hasRank()) {
      return true;
    }
    boolean covers = inferred.rank() == actual.rank();
    for (int i = 0; covers && i < actual.rank(); i++) {
      SymbolicExtent extent = inferred.dim(i);
      double value = actual.dim(i).value();
      covers =
          !extent.isKnown()
              || (extent.isExact() ? extent.value() == value : extent.value() >= value);
    }
    return covers;
  }
}
