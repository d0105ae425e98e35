package dev.sublet.bench;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;

/** Loops with large bodies. The same form and size always give the same program. */
enum LargeLoops {
  /** One body with a swap, a chain of two carries, and a carry that needs no second place. */
  BODY("a swap and a chain", 1, 2),
  /** One body with a cycle of seven: too large to be repeated seven times. */
  CYCLE("cycle of 7", 1, 7),
  /** Loops six deep, a swap and a chain in each: unrolling would make 2⁶ copies. */
  NESTED("6 deep, each a swap and a chain", 6, 2);

  private final String title;
  private final int depth;
  private final int cycle;

  LargeLoops(String title, int depth, int cycle) {
    this.title = title;
    this.depth = depth;
    this.cycle = cycle;
  }

  /** What it is called in a table. */
  String title() {
    return title;
  }

  /**
   * The program.
   *
   * @param operators how many operators the bodies have together, about
   */
  Program program(int operators) {
    StringBuilder text = new StringBuilder("version 2004000\ndefault fp32[256]\nblock 0\nfeed f\n");
    text.append("var n: int64[1] persistable\nvar one: fp32[256]\none = relu(f)\n");
    enter(text, 1, "one");
    text.append("result = sum(").append(carried(1)).append(")\nfetch(result)\n");
    for (int level = 1; level <= depth; level++) {
      text.append("block ").append(level).append(" parent ").append(level - 1).append('\n');
      body(text, level, operators / depth);
    }
    return ProgramText.parse(text.toString());
  }

  /** What the loop of a level carries. */
  private String carried(int level) {
    StringBuilder names = new StringBuilder("z" + level);
    for (int i = 0; i < cycle; i++) {
      names.append(" p").append(level).append('_').append(i);
    }
    return isChained() ? names + " x" + level + "_0 x" + level + "_1" : names.toString();
  }

  private boolean isChained() {
    return this != CYCLE;
  }

  /** Starts and runs the loop of a level. */
  private void enter(StringBuilder text, int level, String from) {
    String count = "i" + level;
    text.append("var ").append(count).append(": int64[1]\n");
    text.append("var c").append(level).append(": bool[1]\n");
    text.append(count).append(" = fill_constant() {shape: [1], dtype: 3, value: 0.0}\n");
    text.append('c').append(level).append(" = less_than(").append(count).append(", n)\n");
    for (String name : carried(level).split(" ", -1)) {
      text.append("var ").append(name).append(": fp32[256]\n");
      text.append(name).append(" = tanh(").append(from).append(")\n");
    }
    text.append("while(Condition: c").append(level).append(", X: ").append(carried(level));
    text.append(" n ").append(count).append(") -> (Out: ").append(carried(level)).append(' ');
    text.append(count).append(" c").append(level).append(", StepScopes: s").append(level);
    text.append(") {sub_block: ").append(level).append(", is_test: true}\n");
  }

  /** A chain of operators, the loop inside, and what is carried. */
  private void body(StringBuilder text, int level, int operators) {
    String prefix = "v" + level + "_";
    text.append(prefix).append("0 = sum(").append(carried(level)).append(")\n");
    int before = 0;
    for (int i = 1; i < operators - 20; i++) {
      text.append(prefix).append(i).append(" = elementwise_add(").append(prefix).append(i - 1);
      text.append(", ").append(prefix).append(Math.max(0, i - 3)).append(")\n");
      before = i;
    }
    String last = prefix + before;
    if (level < depth) {
      enter(text, level + 1, last);
      text.append("w").append(level).append(" = sum(").append(carried(level + 1)).append(")\n");
      last = "w" + level;
    }
    String cyclic = "p" + level + "_";
    text.append("t").append(level).append(" = assign(").append(cyclic).append("0)\n");
    for (int i = 0; i + 1 < cycle; i++) {
      text.append(cyclic).append(i).append(" = assign(").append(cyclic).append(i + 1);
      text.append(")\n");
    }
    text.append(cyclic).append(cycle - 1).append(" = assign(t").append(level).append(")\n");
    if (isChained()) {
      String chain = "x" + level + "_";
      text.append("y").append(level).append(" = relu(").append(last).append(")\n");
      text.append(chain).append("1 = assign(").append(chain).append("0)\n");
      text.append(chain).append("0 = assign(y").append(level).append(")\n");
    }
    text.append("k").append(level).append(" = tanh(").append(last).append(")\n");
    text.append("z").append(level).append(" = assign(k").append(level).append(")\n");
    text.append("i").append(level).append(" = increment(i").append(level).append(")\n");
    text.append("c").append(level).append(" = less_than(i").append(level).append(", n)\n");
  }
}
