package dev.sublet.runtime.micro.text;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.tensor.ElementType;

/**
 * A position in a text, with the operations of a tokenizer: look at the next token and consume it.
 *
 * <p>The text is read line by line. Blanks between tokens are ignored, and {@code #} outside of
 * quotes begins a comment that ends with the line. Errors state their position in the whole text.
 */
public final class MicroCursor {

  private static final char NOTHING = '\0';

  private final String text;
  private final int start;
  private final int end;
  private int position;

  private MicroCursor(String text, int start, int end) {
    this.text = requireNonNull(text, "text");
    this.start = start;
    this.end = end;
    this.position = start;
  }

  /**
   * Returns a cursor at the start of a text that is read as one line, even if it contains line
   * ends.
   */
  public static MicroCursor of(String text) {
    return new MicroCursor(text, 0, text.length());
  }

  /**
   * Returns a cursor for each line of a text that is neither blank nor only a comment, at the
   * line's first character. O(length).
   *
   * @throws MicroSyntaxException if a line is indented with a tab, whose width is undefined
   */
  public static ImmutableList<MicroCursor> lines(String text) {
    ImmutableList.Builder<MicroCursor> lines = ImmutableList.builder();
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      MicroCursor line = new MicroCursor(text, start, end);
      if (!line.atEnd()) {
        int tab = text.indexOf('\t', start);
        if (tab >= 0 && tab < line.position) {
          throw line.error("a tab in front of a line; use blanks", tab);
        }
        lines.add(line);
      }
      start = end + 1;
    }
    return lines.build();
  }

  /** Returns the number of blanks at the start of the line. */
  int indent() {
    int first = start;
    while (first < end && Character.isWhitespace(text.charAt(first))) {
      first++;
    }
    return first - start;
  }

  /** Returns the position of the next token. */
  public int position() {
    skipBlanks();
    return position;
  }

  /** Whether the rest of the line is blank or a comment. */
  public boolean atEnd() {
    skipBlanks();
    return position == end || text.charAt(position) == '#';
  }

  /**
   * Returns the first character of the next token, or NUL at the end of the line; no token begins
   * with NUL.
   */
  public char peek() {
    return atEnd() ? NOTHING : text.charAt(position);
  }

  /** Consumes a symbol if it comes next, and returns whether it did. */
  public boolean accept(String symbol) {
    if (!isNext(symbol)) {
      return false;
    }
    position += symbol.length();
    return true;
  }

  /** Whether a symbol comes next. */
  public boolean isNext(String symbol) {
    return !atEnd() && position + symbol.length() <= end && text.startsWith(symbol, position);
  }

  /**
   * Consumes a symbol.
   *
   * @throws MicroSyntaxException if something else comes next
   */
  public void expect(String symbol) {
    if (!accept(symbol)) {
      throw error("expected '" + symbol + "'");
    }
  }

  /** Whether a word comes next: a name without quotes. */
  public boolean isWord() {
    return MicroName.isStart(peek());
  }

  /** Whether the given word comes next. */
  public boolean isWord(String word) {
    return isWord() && peekWord().equals(word);
  }

  /** Whether a word comes next and then the given symbol. */
  public boolean isWordBefore(String symbol) {
    int first = position();
    position += peekWord().length();
    boolean found = position > first && isNext(symbol);
    position = first;
    return found;
  }

  /** Returns a new cursor after the next word; this cursor does not move. */
  public MicroCursor afterWord() {
    MicroCursor after = new MicroCursor(text, start, end);
    after.position = position() + peekWord().length();
    return after;
  }

  /** Returns the next word without consuming it; empty if no word comes next. */
  public String peekWord() {
    if (!isWord()) {
      return "";
    }
    int last = position;
    while (last < end && MicroName.isPart(text.charAt(last))) {
      last++;
    }
    return text.substring(position, last);
  }

  /** Consumes a word if it comes next, and returns whether it did. */
  public boolean acceptWord(String word) {
    if (!isWord(word)) {
      return false;
    }
    position += word.length();
    return true;
  }

  /**
   * Consumes a word.
   *
   * @throws MicroSyntaxException if something else comes next
   */
  public void expectWord(String word) {
    if (!acceptWord(word)) {
      throw error("expected '" + word + "'");
    }
  }

  /** Whether a name comes next, with or without quotes. */
  public boolean isName() {
    return isWord() || peek() == '"';
  }

  /**
   * Consumes the next name, with or without quotes, and returns it.
   *
   * @throws MicroSyntaxException if no name comes next
   */
  public String name() {
    if (peek() == '"') {
      return quotedName();
    }
    String word = peekWord();
    if (word.isEmpty()) {
      throw error("expected a name");
    }
    position += word.length();
    return word;
  }

  private String quotedName() {
    int quote = position;
    StringBuilder name = new StringBuilder();
    position++;
    while (position < end && text.charAt(position) != '"') {
      char c = text.charAt(position);
      name.append(c == '\\' ? escaped() : c);
      position++;
    }
    if (position == end) {
      throw error("a name without its closing quote", quote);
    }
    position++;
    return name.toString();
  }

  /**
   * Returns the character that an escape at the current position denotes. The position moves to the
   * last character of the escape.
   */
  private char escaped() {
    int backslash = position;
    position++;
    char c = position < end ? text.charAt(position) : NOTHING;
    if (c == '"' || c == '\\') {
      return c;
    }
    if (c == 'u' && position + 4 < end) {
      String digits = text.substring(position + 1, position + 5);
      if (CharMatcher.anyOf("0123456789abcdefABCDEF").matchesAllOf(digits)) {
        position += 4;
        return (char) Integer.parseInt(digits, 16);
      }
    }
    throw error(
        "\\\", \\\\ and \\u with four digits are all that a backslash can begin", backslash);
  }

  /** Consumes the next digits and returns them; empty if there are none. */
  String digits() {
    skipBlanks();
    int first = position;
    while (position < end && MicroName.isDigit(text.charAt(position))) {
      position++;
    }
    return text.substring(first, position);
  }

  /** Whether a letter, a digit or {@code _} follows directly, without a blank. */
  boolean isInsideWord() {
    return position < end && MicroName.isPart(text.charAt(position));
  }

  /**
   * Returns the character at an offset from the position, without skipping blanks; NUL after the
   * line.
   */
  char ahead(int offset) {
    return position + offset < end ? text.charAt(position + offset) : NOTHING;
  }

  /** Moves the position by a number of characters. */
  void skip(int characters) {
    position += characters;
  }

  /**
   * Consumes the next element type and returns it.
   *
   * @throws MicroSyntaxException if no type comes next
   */
  public ElementType elementType() {
    for (ElementType type : ElementType.ofMicroPrograms()) {
      if (acceptWord(type.toString())) {
        return type;
      }
    }
    throw error("expected float32, float64, int32, int64, bool, uint8 or int8");
  }

  /**
   * Consumes the next integer without a sign, such as an axis, and returns it.
   *
   * @throws MicroSyntaxException if none comes next, or if it needs more than 31 bits
   */
  public int number() {
    int first = position();
    String digits = digits();
    if (digits.isEmpty() || isInsideWord()) {
      throw error("expected a number", first);
    }
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw error(shortened(digits) + " is too large here", first);
    }
  }

  /**
   * Consumes the next floating-point number and returns it: {@code -1.5}, {@code inf}, {@code nan}.
   *
   * @throws MicroSyntaxException if no number comes next
   */
  public double realNumber() {
    return LiteralReader.readDouble(this);
  }

  /**
   * Checks that the line ends here.
   *
   * @throws MicroSyntaxException if a token follows
   */
  public void expectEnd() {
    if (!atEnd()) {
      throw error("expected nothing more");
    }
  }

  /** Returns a part of the text for a message, truncated if it is long. */
  static String shortened(String part) {
    return Ascii.truncate(part, /* maxLength= */ 40, "…");
  }

  /** Returns an error at the next token. */
  public MicroSyntaxException error(String message) {
    return error(message, position());
  }

  /** Returns an error at a position of the text. */
  public MicroSyntaxException error(String message, int where) {
    return new MicroSyntaxException(message, text, where);
  }

  private void skipBlanks() {
    while (position < end && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }
}
