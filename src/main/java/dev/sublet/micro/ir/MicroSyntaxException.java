package dev.sublet.micro.ir;

/**
 * A text that is not a micro program, an index expression, or one that means nothing: what is wrong
 * and at which character.
 */
public final class MicroSyntaxException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int position;

  /** What is wrong, and the character where it begins, from 0. */
  public MicroSyntaxException(String message, int position) {
    super(message);
    this.position = position;
  }

  /** The character of the text, from 0. */
  public int position() {
    return position;
  }
}
