package dev.sublet.bench;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;

/**
 * Small programs on which an analysis easily becomes quadratic or worse. The same form and size
 * always give the same program.
 */
enum SteepPrograms {
  /** One loop that computes each of many variables from its own value of the last iteration. */
  CARRIES {
    @Override
    String text(int size) {
      StringBuilder carried = new StringBuilder();
      StringBuilder entry = new StringBuilder();
      StringBuilder body = new StringBuilder("block 1 parent 0\nvar d: bool[1]\n");
      for (int i = 0; i < size; i++) {
        carried.append(" a").append(i);
        entry.append('a').append(i).append(" = relu(x)\n");
        body.append('t').append(i).append(" = relu(a").append(i).append(")\n");
      }
      for (int i = 0; i < size; i++) {
        body.append('a').append(i).append(" = assign(t").append(i).append(")\n");
      }
      body.append("d = logical_not(c)\nc = assign(d)\n");
      return HEADER
          + entry
          + loop(carried.toString(), 1)
          + ("s = sum(" + carried.substring(1) + ")\nfetch(s)\n")
          + body;
    }
  },
  /** Loops one inside the other, each of which writes the one variable that all carry. */
  NESTED {
    @Override
    String text(int size) {
      StringBuilder text = new StringBuilder(HEADER + "a = relu(x)\n" + loop(" a", 1));
      text.append("fetch(a)\n");
      for (int depth = 1; depth <= size; depth++) {
        text.append("block ").append(depth).append(" parent ").append(depth - 1).append('\n');
        text.append('t').append(depth).append(" = relu(a)\na = assign(t").append(depth);
        text.append(")\n").append(depth < size ? loop(" a", depth + 1) : "");
      }
      return text.toString();
    }
  };

  private static final String HEADER =
      """
      version 2004000
      default fp32[16]
      block 0
      feed x
      var c: bool[1]
      c = fill_constant() {shape: [1], dtype: 0, value: 1.0}
      """;

  private static String loop(String carried, int block) {
    return "while(Condition: c, X:"
        + carried
        + ") -> (Out:"
        + carried
        + " c, StepScopes: scopes"
        + block
        + ") {sub_block: "
        + block
        + ", is_test: true}\n";
  }

  abstract String text(int size);

  /** The program with this many carries or loops. */
  Program program(int size) {
    return ProgramText.parse(text(size));
  }
}
