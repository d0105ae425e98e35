package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.tensor.ElementType;

/**
 * A place in a text that is read, line by line: what comes next, and how to go on behind it.
 *
 * <p>Blanks between the parts of a line mean nothing, and {@code #} outside of quotes begins a
 * comment that ends with the line. Every error has its position in the whole text.
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

  /** The start of a text that is read as one line, whether it has line ends or not. */
  public static MicroCursor of(String text) {
    return new MicroCursor(text, 0, text.length());
  }

  /**
   * The lines of a text that hold more than a comment, each from its first character. O(length).
   *
   * @throws MicroSyntaxException if a line begins with a tab, whose width nobody knows
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

  /** The number of blanks in front of the line. */
  int indent() {
    int first = start;
    while (first < end && Character.isWhitespace(text.charAt(first))) {
      first++;
    }
    return first - start;
  }

  /** Where the next part begins. */
  public int position() {
    skipBlanks();
    return position;
  }

  /** Whether nothing comes any more in the line. */
  public boolean atEnd() {
    skipBlanks();
    return position == end || text.charAt(position) == '#';
  }

  /** The first character of the next part; of nothing NUL, which no part begins with. */
  public char peek() {
    return atEnd() ? NOTHING : text.charAt(position);
  }

  /** Goes behind a symbol if it comes next. */
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
   * Goes behind a symbol.
   *
   * @throws MicroSyntaxException if something else comes next
   */
  public void expect(String symbol) {
    if (!accept(symbol)) {
      throw error("expected '" + symbol + "'");
    }
  }

  /** Whether a word comes next: a plain name, not a quoted one. */
  public boolean isWord() {
    return MicroName.isStart(peek());
  }

  /** Whether this very word comes next. */
  public boolean isWord(String word) {
    return isWord() && peekWord().equals(word);
  }

  /** Whether a word comes next, and then a symbol. */
  public boolean isWordBefore(String symbol) {
    int first = position();
    position += peekWord().length();
    boolean found = position > first && isNext(symbol);
    position = first;
    return found;
  }

  /** Another cursor behind the word that comes next. */
  public MicroCursor behindWord() {
    MicroCursor behind = new MicroCursor(text, start, end);
    behind.position = position() + peekWord().length();
    return behind;
  }

  /** The word that comes next; empty if none does. */
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

  /** Goes behind a word if it comes next. */
  public boolean acceptWord(String word) {
    if (!isWord(word)) {
      return false;
    }
    position += word.length();
    return true;
  }

  /**
   * Goes behind a word.
   *
   * @throws MicroSyntaxException if something else comes next
   */
  public void expectWord(String word) {
    if (!acceptWord(word)) {
      throw error("expected '" + word + "'");
    }
  }

  /** Whether a name comes next, plain or in quotes. */
  public boolean isName() {
    return isWord() || peek() == '"';
  }

  /**
   * The name that comes next, plain or in quotes.
   *
   * @throws MicroSyntaxException if none does
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

  /** The character that a backslash at the position stands for; ends at its last character. */
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

  /** The digits that come next, perhaps none. */
  String digits() {
    skipBlanks();
    int first = position;
    while (position < end && MicroName.isDigit(text.charAt(position))) {
      position++;
    }
    return text.substring(first, position);
  }

  /** Whether a letter, a digit or {@code _} comes at once, without a blank in front. */
  boolean isInsideWord() {
    return position < end && MicroName.isPart(text.charAt(position));
  }

  /** A character of the line, counted from the position without skipping blanks; or NUL. */
  char ahead(int offset) {
    return position + offset < end ? text.charAt(position + offset) : NOTHING;
  }

  /** Goes some characters further. */
  void skip(int characters) {
    position += characters;
  }

  /**
   * The type that comes next.
   *
   * @throws MicroSyntaxException if none does
   */
  public ElementType elementType() {
    for (ElementType type : ElementType.values()) {
      if (acceptWord(type.toString())) {
        return type;
      }
    }
    throw error("expected float32, float64, int32, int64, bool, uint8 or int8");
  }

  /**
   * The whole number that comes next, such as an axis.
   *
   * @throws MicroSyntaxException if none does, or one of more than 31 bits
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
   * The number that comes next: {@code -1.5}, {@code inf}, {@code nan}.
   *
   * @throws MicroSyntaxException if none does
   */
  public double realNumber() {
    return Literals.readDouble(this);
  }

  /**
   * Makes sure that the line ends here.
   *
   * @throws MicroSyntaxException if something comes
   */
  public void expectEnd() {
    if (!atEnd()) {
      throw error("expected nothing more");
    }
  }

  /** A part of the text as messages show it: not all of it if it is long. */
  static String shortened(String part) {
    return Ascii.truncate(part, /* maxLength= */ 40, "…");
  }

  /** An error about what comes next. */
  public MicroSyntaxException error(String message) {
    return error(message, position());
  }

  /** An error about a place of the text. */
  public MicroSyntaxException error(String message, int where) {
    return new MicroSyntaxException(message, text, where);
  }

  private void skipBlanks() {
    while (position < end && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }
}
