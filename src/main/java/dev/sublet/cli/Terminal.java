package dev.sublet.cli;

import com.google.common.base.Strings;
import com.google.common.primitives.Ints;

/**
 * What shows standard output.
 *
 * @param isTerminal whether a terminal does, and not a file or another program
 * @param width how many characters fit on a line
 * @param isColored whether it shows colors, and its user wants them
 */
record Terminal(boolean isTerminal, int width, boolean isColored) {

  /** No terminal. */
  static final Terminal NONE = new Terminal(false, 80, false);

  /**
   * The terminal of this process, by its environment: {@code COLUMNS}, {@code TERM} and {@code
   * NO_COLOR}, which speaks for itself if it is not empty. If standard input is no terminal, Java
   * does not say whether standard output is one; then there is none.
   */
  @SuppressWarnings("SystemConsoleNull") // Java 22 has Console.isTerminal; 17 has not
  static Terminal ofProcess() {
    if (System.console() == null) {
      return NONE;
    }
    Integer columns = Ints.tryParse(Strings.nullToEmpty(System.getenv("COLUMNS")));
    boolean isColored =
        Strings.isNullOrEmpty(System.getenv("NO_COLOR")) && !"dumb".equals(System.getenv("TERM"));
    return new Terminal(true, columns == null ? NONE.width() : columns, isColored);
  }
}
