package dev.sublet.offset.order;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random programs in which pairs of exclusive branches compute values, and selections choose
 * between them, two levels deep. Few operators wait for each other.
 */
final class BranchPrograms {
  private final Random random;
  private final List<List<String>> blocks = new ArrayList<>();
  private final List<Integer> parents = new ArrayList<>();
  private int names;

  private BranchPrograms(Random random) {
    this.random = random;
  }

  /** Makes a program with the feed {@code x} and one fetched value. */
  static Program generate(Random random) {
    return new BranchPrograms(random).program();
  }

  private Program program() {
    List<String> lines = new ArrayList<>();
    lines.add("version 2004000");
    lines.add("default fp32[16]");
    parents.add(-1);
    List<String> values = new ArrayList<>(List.of("x"));
    blocks.add(new ArrayList<>(List.of("feed x")));
    fill(0, values, 2 + random.nextInt(3), 0);
    blocks.get(0).add("fetch(" + values.get(values.size() - 1) + ")");
    for (int block = 0; block < blocks.size(); block++) {
      lines.add("block " + block + (block == 0 ? "" : " parent " + parents.get(block)));
      lines.addAll(blocks.get(block));
    }
    return ProgramText.parse(lines.toArray(String[]::new));
  }

  private void fill(int block, List<String> values, int steps, int depth) {
    for (int i = 0; i < steps; i++) {
      if (depth < 2 && random.nextInt(3) > 0) {
        addChoice(block, values, depth);
      } else {
        values.add(add(block, values, "v" + names++));
      }
    }
  }

  private String add(int block, List<String> values, String name) {
    String a = values.get(random.nextInt(values.size()));
    String b = values.get(random.nextInt(values.size()));
    String call =
        random.nextBoolean() ? "elementwise_add(" + a + ", " + b + ")" : "tanh(" + a + ")";
    blocks.get(block).add(name + " = " + call);
    return name;
  }

  private void addChoice(int block, List<String> values, int depth) {
    int n = names++;
    List<String> lines = blocks.get(block);
    lines.add("var c" + n + ": bool[1] persistable");
    lines.add("var k" + n + ": bool[1] persistable");
    lines.add("var m" + n + ": int32[1] persistable");
    lines.add("c" + n + " = is_empty(x)");
    addBranch(block, "c" + n, "t" + n, values, depth);
    for (int i = random.nextInt(3); i > 0; i--) {
      values.add(add(block, values, "v" + names++));
    }
    lines.add("k" + n + " = logical_not(c" + n + ")");
    addBranch(block, "k" + n, "f" + n, values, depth);
    lines.add("m" + n + " = cast(c" + n + ") {in_dtype: 0, out_dtype: 2}");
    lines.add("y" + n + " = select_input(X: f" + n + " t" + n + ", Mask: m" + n + ")");
    values.add("y" + n);
  }

  private void addBranch(
      int block, String condition, String result, List<String> outer, int depth) {
    int body = blocks.size();
    blocks.add(new ArrayList<>());
    parents.add(block);
    blocks.get(block).add("var " + result + ": fp32[16]");
    blocks
        .get(block)
        .add(
            String.format(
                "conditional_block(Cond: %s, Input: x) -> (Out: %s, Scope: s%s) {sub_block: %d,"
                    + " is_scalar_condition: true}",
                condition, result, result, body));
    List<String> values = new ArrayList<>(outer);
    fill(body, values, 1 + random.nextInt(3), depth + 1);
    add(body, values, result);
  }
}
