package dev.sublet.runtime.micro.ir;

/** Prints programs, in the grammar of {@code MicroProgramText}. */
final class MicroProgramPrinter {

  private MicroProgramPrinter() {}

  /** Returns the text of a program, one line per declaration, loop or statement. O(length). */
  static String print(MicroProgram program) {
    StringBuilder text = new StringBuilder();
    text.append("program ").append(MicroName.text(program.name())).append('\n');
    for (ScalarDeclaration parameter : program.parameters()) {
      text.append("parameter $").append(MicroName.text(parameter.name()));
      text.append(": ").append(parameter.type()).append('\n');
    }
    program.tensors().forEach(tensor -> print(tensor, text));
    for (Requirement requirement : program.requirements()) {
      text.append("require ").append(requirement.left());
      text.append(" = ").append(requirement.right()).append('\n');
    }
    for (MicroFunction function : program.functions()) {
      text.append("function ").append(MicroName.text(function.name())).append('\n');
      for (LoopBlock block : function.blocks()) {
        text.append("  block\n");
        print(block, text);
      }
    }
    return text.toString();
  }

  private static void print(TensorDeclaration tensor, StringBuilder text) {
    text.append(tensor.role()).append(' ').append(MicroName.text(tensor.name()));
    text.append(": ").append(tensor.type()).append('[');
    for (int axis = 0; axis < tensor.rank(); axis++) {
      text.append(axis == 0 ? "" : ", ");
      boolean free = tensor.isDecidedByCaller(axis);
      text.append(free ? "?" : tensor.shape().get(axis));
    }
    text.append("]\n");
  }

  private static void print(LoopBlock block, StringBuilder text) {
    int count = block.loops().size();
    for (int depth = 0; depth < count; depth++) {
      Loop loop = block.loops().get(depth);
      indent(depth, text).append("for i").append(loop.id());
      text.append(" in ").append(loop.start()).append("..").append(loop.end()).append('\n');
      for (CarriedVariable carried : loop.carried()) {
        indent(depth + 1, text).append("carry c").append(carried.id());
        text.append(" = ").append(carried.operator()).append(' ').append(carried.type());
        text.append('\n');
      }
    }
    for (int depth = count - 1; depth >= 0; depth--) {
      for (Statement statement : block.loops().get(depth).statements()) {
        indent(depth + 1, text).append(statement).append('\n');
      }
    }
  }

  /** Appends the indentation of a loop of a block; the outermost loop has depth 0. */
  private static StringBuilder indent(int depth, StringBuilder text) {
    return text.append("  ".repeat(depth + 2));
  }
}
