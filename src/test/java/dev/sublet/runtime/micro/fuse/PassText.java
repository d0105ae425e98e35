package dev.sublet.runtime.micro.fuse;

import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.text.MicroProgramText;

/** Passes on blocks that are written down as text. */
final class PassText {

  private PassText() {}

  /**
   * The functions of a program after a pass.
   *
   * @param declarations the lines in front of the functions
   * @param blocks one a function, which are named f0, f1, …
   */
  static String apply(Pass pass, String declarations, String... blocks) {
    String[] named = new String[blocks.length * 2];
    for (int i = 0; i < blocks.length; i++) {
      named[2 * i] = "f" + i;
      named[2 * i + 1] = blocks[i];
    }
    return functions(pass.apply(MicroProgramText.parse(declarations + blocks(named))));
  }

  /** The functions of a program as text. */
  static String functions(MicroProgram program) {
    String text = MicroProgramText.print(program);
    int start = text.indexOf("function ");
    return start < 0 ? "" : text.substring(start);
  }

  /** The text of functions of one block each: names and blocks by turns. */
  static String blocks(String... namesAndBlocks) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < namesAndBlocks.length; i += 2) {
      text.append("function ").append(namesAndBlocks[i]).append("\n  block\n");
      text.append(namesAndBlocks[i + 1].indent(4));
    }
    return text.toString();
  }
}
