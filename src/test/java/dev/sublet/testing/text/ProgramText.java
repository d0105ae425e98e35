package dev.sublet.testing.text;

import dev.sublet.program.Program;
import dev.sublet.proto.ProgramDesc;

/**
 * A small text language for programs, so that a test reads as a specification.
 *
 * <pre>{@code
 * version 2004000
 * default fp32[8]                 # the type of names that are not declared; fp32[1] if absent
 * block 0
 *   feed x: fp32[-1,4]            # declares x and adds the operator x = feed(feed) {col: 0}
 *   var w: fp32[4,4] persistable  # also: parameter, stop_gradient, check_feed, lod(1)
 *   var a: array fp32[4]          # also: selected_rows T, step_scopes, feed_holder, fetch_list,
 *                                 # rank_table, reader, raw, tensor (one without a shape)
 *   t = relu(x)                   # an unnamed slot is X, the second one Y, an output Out
 *   s = sum(t x)                  # several arguments are separated by blanks
 *   (Y: y, MeanOut: m) = batch_norm(X: t, Mean: m) {epsilon: 0.5, is_test: true}
 *   while(Condition: c, X: t i) -> (Out: t c, StepScopes: z) {sub_block: 1, is_test: true}
 *   fetch(t)                      # adds the output fetch and the attribute col
 * block 1 parent 0
 *   t = tanh(t) target            # marks the operator with is_target
 * block 2 parent 0 forward 1
 * }</pre>
 *
 * <p>Outputs stand before {@code =} or behind {@code ->}. Attribute values: {@code 1} (INT), {@code
 * 1L}, {@code 0.5} (FLOAT), {@code true}, {@code "text"}, lists of these in brackets, and behind a
 * keyword {@code block 1}, {@code blocks [1, 2]}, {@code var x}, {@code vars [x, y]}, {@code
 * float64 0.5}, and {@code ints []} for an empty list; a number in {@code sub_block} is a block.
 * Names of other characters than letters, digits and {@code _@./} stand in double quotes.
 *
 * <p>A name that is written or read but visible nowhere is declared with the default type in the
 * first block, by index, that writes it; scopes, arrays, feed and fetch holders get their own type.
 * A name that is only read must be declared.
 *
 * <p>For a program that {@link #parse} made, {@code parse(print(p))} equals p message for message.
 * The printer leaves out what the language cannot say about a program from elsewhere: fields that
 * hold their default, operator versions, and names that are not UTF-8.
 */
public final class ProgramText {

  private ProgramText() {}

  /**
   * Parses a program. O(length).
   *
   * @param lines the text, in one or several pieces, each of one or more lines
   * @throws IllegalArgumentException if the text is malformed; the message begins with the line's
   *     number
   */
  public static Program parse(String... lines) {
    return Program.of(parseMessage(lines));
  }

  /** Parses a program that need not be well formed, for tests of what is refused. O(length). */
  public static ProgramDesc parseMessage(String... lines) {
    return ProgramTextParser.parse(String.join("\n", lines));
  }

  /**
   * Prints a program, every variable declared. O(size).
   *
   * @throws IllegalArgumentException if an attribute's or a variable's type has no notation
   */
  public static String print(Program program) {
    return ProgramTextPrinter.print(program.toMessage());
  }
}
