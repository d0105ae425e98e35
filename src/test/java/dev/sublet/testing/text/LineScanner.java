package dev.sublet.testing.text;

import com.google.common.base.CharMatcher;

/** Takes one line of program text apart, from left to right. Blanks separate and mean nothing. */
public final class LineScanner {

  /** What a name may consist of without quotes. */
  static final CharMatcher NAME =
      CharMatcher.inRange('a', 'z')
          .or(CharMatcher.inRange('A', 'Z'))
          .or(CharMatcher.inRange('0', '9'))
          .or(CharMatcher.anyOf("_@./"));

  private static final CharMatcher NUMBER = NAME.or(CharMatcher.anyOf("-+"));

  private final String line;
  private final int number;
  private int position;

  /** A scanner for the line of that number; a comment at its end is skipped. */
  public LineScanner(String line, int number) {
    this.line = line;
    this.number = number;
    skipBlanks();
  }

  int lineNumber() {
    return number;
  }

  boolean atEnd() {
    return position == line.length();
  }

  /** Whether the rest begins with the text. */
  boolean sees(String text) {
    return line.startsWith(text, position);
  }

  /** Whether a name or a quoted name comes next. */
  boolean seesName() {
    return !atEnd() && (sees("\"") || NAME.matches(line.charAt(position)));
  }

  /** Takes the text if it comes next. */
  boolean take(String text) {
    if (!sees(text)) {
      return false;
    }
    position += text.length();
    skipBlanks();
    return true;
  }

  /** Takes the word if it comes next and is not just the beginning of a longer name. */
  boolean takeWord(String word) {
    int end = position + word.length();
    return (end >= line.length() || !NAME.matches(line.charAt(end))) && take(word);
  }

  void expect(String text) {
    if (!take(text)) {
      throw error("expected '" + text + "' but found " + rest());
    }
  }

  /** A name, with or without quotes. */
  String name(String what) {
    if (sees("\"")) {
      return quoted();
    }
    return run(NAME, what);
  }

  /** The characters of a number; its syntax is for the caller to check. */
  String number(String what) {
    return run(NUMBER, what);
  }

  /** The characters of the number that comes next, if one does; nothing is taken. */
  String peekNumber() {
    return peek(NUMBER);
  }

  private String peek(CharMatcher characters) {
    int end = position;
    while (end < line.length() && characters.matches(line.charAt(end))) {
      end++;
    }
    return line.substring(position, end);
  }

  int integer(String what) {
    String digits = number(what);
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw error(what + " must be a number but is '" + digits + "'");
    }
  }

  String quoted() {
    StringBuilder text = new StringBuilder();
    int i = position + 1;
    while (i < line.length() && line.charAt(i) != '"') {
      if (line.charAt(i) == '\\' && i + 1 < line.length()) {
        i++;
        text.append(line.charAt(i) == 'n' ? '\n' : line.charAt(i));
      } else {
        text.append(line.charAt(i));
      }
      i++;
    }
    if (i >= line.length()) {
      throw error("the quotes are not closed");
    }
    position = i + 1;
    skipBlanks();
    return text.toString();
  }

  private String run(CharMatcher characters, String what) {
    String text = peek(characters);
    if (text.isEmpty()) {
      throw error("expected " + what + " but found " + rest());
    }
    position += text.length();
    skipBlanks();
    return text;
  }

  /** Fails unless the line has been read whole. */
  void expectEnd() {
    if (!atEnd()) {
      throw error("did not expect " + rest());
    }
  }

  IllegalArgumentException error(String message) {
    return new IllegalArgumentException(
        "line " + number + ": " + message + " in \"" + line.trim() + "\"");
  }

  private String rest() {
    return atEnd() ? "the end of the line" : "'" + line.substring(position) + "'";
  }

  private void skipBlanks() {
    while (position < line.length() && Character.isWhitespace(line.charAt(position))) {
      position++;
    }
    if (sees("#")) {
      position = line.length();
    }
  }
}
