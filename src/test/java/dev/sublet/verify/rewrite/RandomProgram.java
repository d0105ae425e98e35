package dev.sublet.verify.rewrite;

import java.util.Random;

/**
 * Random small programs in the tests' notation: straight lines, loops, conditional blocks and
 * if/else pairs, and unrolled loops on a condition {@code e} of their own, over variables {@code
 * v0…} of block 0 and locals {@code l…} of each block.
 */
final class RandomProgram {

  static final int GLOBALS = 6;
  static final int LOCALS = 3;

  private static final String[] UNARY = {"tanh", "relu", "assign", "scatter_some", "set_value"};

  private static final String GO_ON = "op less_than X=x Y=x -> Out=e\n";

  private final Random random;
  private final StringBuilder extraBlocks = new StringBuilder();
  private int nextBlock = 1;

  private RandomProgram(Random random) {
    this.random = random;
  }

  static String generate(Random random) {
    RandomProgram generator = new RandomProgram(random);
    StringBuilder text = new StringBuilder("var fetch FETCH_LIST persistable\n");
    text.append(
        "var x FP32[4] feed\nvar c BOOL[16]\nvar e INT64[4]\nvar n BOOL[16]\nvar m INT32[4]\n");
    for (int i = 0; i < GLOBALS; i++) {
      text.append("var v").append(i).append(" FP32[4]\n");
    }
    for (int i = 0; i < GLOBALS; i++) {
      if (random.nextInt(3) > 0) {
        text.append("op tanh X=x -> Out=v").append(i).append('\n');
      }
    }
    text.append(generator.operators(0, 0, 6));
    text.append("op fetch X=v").append(random.nextInt(GLOBALS)).append(" -> Out=fetch\n");
    return text.append(generator.extraBlocks).toString();
  }

  private String operators(int block, int depth, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int choice = random.nextInt(depth < 2 ? 10 : 6);
      if (choice < 4) {
        String type = UNARY[random.nextInt(UNARY.length)];
        text.append("op " + type + " X=" + any(block) + " -> Out=" + any(block) + "\n");
      } else if (choice < 6) {
        text.append("op add X=" + any(block) + " Y=" + any(block) + " -> Out=" + any(block) + "\n");
      } else if (choice == 6) {
        text.append(ifElse(block, depth));
      } else if (choice == 9) {
        text.append("op less_than X=x Y=x -> Out=e\nop while Condition=e | sub_block=@");
        text.append(body(block, depth, GO_ON, random.nextInt(3))).append('\n');
      } else {
        text.append("op less_than X=x Y=x -> Out=c\n");
        String head =
            choice == 7
                ? "op conditional_block Cond=c | is_scalar_condition=true sub_block=@"
                : "op while Condition=c | sub_block=@";
        text.append(
            head + body(block, depth, choice == 7 ? "" : "op less_than X=x Y=x -> Out=c\n"));
        text.append('\n');
      }
    }
    return text.toString();
  }

  private String ifElse(int block, int depth) {
    String t = any(block);
    String f = any(block);
    return "op less_than X=x Y=x -> Out=c\n"
        + "op conditional_block Cond=c | is_scalar_condition=true sub_block=@"
        + body(block, depth, "op tanh X=x -> Out=" + t + "\n")
        + "\nop logical_not X=c -> Out=n\n"
        + "op conditional_block Cond=n | is_scalar_condition=true sub_block=@"
        + body(block, depth + 1, "op tanh X=x -> Out=" + f + "\n")
        + "\nop cast X=c -> Out=m\nop select_input X="
        + f
        + ","
        + t
        + " Mask=m -> Out="
        + any(block)
        + "\n";
  }

  /** The blocks are numbered in the order in which they are begun, and printed in that order. */
  private int body(int parent, int depth, String last) {
    return body(parent, depth, last, /* copies= */ 0);
  }

  private int body(int parent, int depth, String last, int copies) {
    int block = nextBlock++;
    int position = extraBlocks.length();
    StringBuilder text = new StringBuilder("block " + block + " parent " + parent + "\n");
    for (int i = 0; i < LOCALS; i++) {
      text.append("var l").append(block).append('_').append(i).append(" FP32[4]\n");
    }
    text.append(operators(block, depth + 1, 1 + random.nextInt(4)));
    text.append(last);
    if (copies > 0) {
      text.append(copies(block, depth, copies));
    }
    extraBlocks.insert(position, text);
    return block;
  }

  /** More copies of an unrolled loop's body; sometimes skipping them does not end the loop. */
  private String copies(int block, int depth, int count) {
    int spoiled = random.nextInt(9);
    String head =
        "op conditional_block Cond="
            + (spoiled == 0 ? "c" : "e")
            + " | is_scalar_condition="
            + (spoiled != 1)
            + " sub_block=@";
    String last = spoiled == 2 ? "op tanh X=x -> Out=" + any(block) + "\n" : "";
    return head + body(block, depth, GO_ON, count - 1) + "\n" + last;
  }

  private String any(int block) {
    if (block > 0 && random.nextInt(2) == 0) {
      return "l" + block + "_" + random.nextInt(LOCALS);
    }
    return "v" + random.nextInt(GLOBALS);
  }
}
