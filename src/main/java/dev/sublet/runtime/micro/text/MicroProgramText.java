package dev.sublet.runtime.micro.text;

import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.MicroProgram;

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
    return program.toString();
  }
}
