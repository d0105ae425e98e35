package dev.sublet.runtime.micro.ir;

import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.Locale;

/**
 * Prints and parses the text of a program: {@code parse(print(p))} equals {@code p} for every
 * program that passes {@link MicroProgramCheck}.
 *
 * <pre>
 * program matmul
 * input a: float32[?, ?]                      # ? is an extent that the caller decides
 * input b: float32[?, ?]
 * output c: float32[d(a, 0), d(b, 1)]
 * require d(a, 1) = d(b, 0)
 * function c
 *   block
 *     for i0 in 0..d(a, 0)
 *       for i1 in 0..d(b, 1)
 *         carry c0 = sum float32
 *         for i2 in 0..d(a, 1)
 *           c0 &lt;&lt; a[i0, i2] * b[i2, i1]
 *         c[i0, i1] = c0                      # after the inner loop has ended
 * </pre>
 *
 * <p>The grammar follows. The body of a line is indented more than the line, and all lines of one
 * body are indented equally. {@code #} begins a comment; blank lines are ignored.
 *
 * <pre>
 * program:     "program" name { declaration } { function }
 * declaration: "parameter" "$" name ":" type
 *            | ("input" | "output" | "temporary") name ":" type "[" [ extent { "," extent } ] "]"
 *            | "require" index "=" index
 * extent:      index | "?"                             ? only for inputs: the caller decides
 * function:    "function" name { block }
 * block:       "block" loop
 * loop:        "for" "i" number "in" index ".." index
 *              { "carry" "c" number "=" reduction type }
 *              [ loop ]
 *              { statement }
 * statement:   access ("=" | "+=" | "*=" | reduction "=") value
 *            | "c" number "&lt;&lt;" value [ "at" index ]  the position for argmax and argmin
 * access:      name [ "!" ] "[" [ index { "," index } ] "]"     ! omits the bounds check
 * value:       as in {@link ExpressionParser}, where a name begins
 *              name [ "!" ] "[" [ index { "," index } ] [ "outside" number ] "]"   default 0
 *            | "c" number
 * index:       as in {@link IndexParser}
 * type:        "float32" | "float64" | "int32" | "int64" | "bool" | "uint8" | "int8"
 * reduction:   "sum" | "product" | "maximum" | "minimum" | "argmax" | "argmin"
 * name:        letters, digits and "_", no digit first; or anything in double quotes
 * </pre>
 *
 * <p>Expressions nested more than 200 deep, and nests of more than 100 loops, are rejected.
 */
public final class MicroProgramText {

  private MicroProgramText() {}

  /**
   * Parses a program and checks it. O(length).
   *
   * @throws MicroSyntaxException with the position of the syntax error or of the broken rule
   */
  public static MicroProgram parse(String text) {
    return MicroProgramReader.read(text);
  }

  /** Returns the text of a program, one line per declaration, loop or statement. O(length). */
  public static String print(MicroProgram program) {
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
    text.append(roleWord(tensor.role())).append(' ').append(MicroName.text(tensor.name()));
    text.append(": ").append(tensor.type()).append('[');
    for (int axis = 0; axis < tensor.rank(); axis++) {
      text.append(axis == 0 ? "" : ", ");
      boolean free = MicroProgramCheck.isDecidedByCaller(tensor, axis);
      text.append(free ? "?" : tensor.shape().get(axis));
    }
    text.append("]\n");
  }

  static String roleWord(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
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
