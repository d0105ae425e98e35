package dev.sublet.runtime.micro.text;

/**
 * Thrown when a text is not a well-formed micro program or index expression. It records the problem
 * and its position.
 */
public final class MicroSyntaxException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int position;
  private final int line;
  private final int column;

  /**
   * Creates an exception for a position in a text.
   *
   * @param message what is wrong, without the position
   * @param text the whole text
   * @param position the offset of the first offending character, from 0, at most the text's length
   */
  public MicroSyntaxException(String message, String text, int position) {
    super(message);
    this.position = position;
    int lineStart = text.lastIndexOf('\n', position - 1) + 1;
    this.line = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
    this.column = 1 + text.codePointCount(lineStart, position);
  }

  /** Returns the offset in the text, from 0. */
  public int position() {
    return position;
  }

  /** Returns the line, from 1. */
  public int line() {
    return line;
  }

  /** Returns the column, in code points from 1. */
  public int column() {
    return column;
  }

  /** Returns {@code FILE:LINE:COLUMN: what is wrong}. */
  public String describe(String file) {
    return file + ":" + line + ":" + column + ": " + getMessage();
  }
}
