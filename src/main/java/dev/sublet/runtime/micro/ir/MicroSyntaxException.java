package dev.sublet.runtime.micro.ir;

/**
 * A text that is not a micro program, an index expression, or one that means nothing: what is wrong
 * and at which character.
 */
public final class MicroSyntaxException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int position;
  private final int line;
  private final int column;

  /**
   * What is wrong, and where.
   *
   * @param message what is wrong, without the place
   * @param text the whole text
   * @param position the character where it begins, from 0, at most the text's length
   */
  public MicroSyntaxException(String message, String text, int position) {
    super(message);
    this.position = position;
    int lineStart = text.lastIndexOf('\n', position - 1) + 1;
    this.line = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
    this.column = 1 + text.codePointCount(lineStart, position);
  }

  /** The character of the text, from 0. */
  public int position() {
    return position;
  }

  /** The line of the text, from 1. */
  public int line() {
    return line;
  }

  /** The character of the line, from 1. */
  public int column() {
    return column;
  }

  /** {@code FILE:LINE:COLUMN: what is wrong}. */
  public String describe(String file) {
    return file + ":" + line + ":" + column + ": " + getMessage();
  }
}
