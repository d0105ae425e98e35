package dev.sublet.cli.console;

import com.google.common.base.Strings;
import com.google.common.primitives.Ints;

/**
 * What shows standard output.
 *
 * @param isTerminal whether a terminal does, and not a file or another program
 * @param width how many characters fit on a line
 * @param isColored whether it shows colors, and its user wants them
 */
public record Terminal(boolean isTerminal, int width, boolean isColored) {

  /** No terminal. */
  public static final Terminal NONE = new Terminal(false, 80, false);

  /** Standard output. */
  static final int OUTPUT = 1;

  /** Standard error. */
  public static final int ERROR = 2;

  /** What {@code ./sublet} tells: those of 1 and 2 that are terminals. */
  private static final String PROPERTY = "sublet.terminals";

  /**
   * Whether a stream is a terminal. The launcher says so. If nobody does, Java is asked, which only
   * knows whether both standard input and output are.
   */
  @SuppressWarnings("SystemConsoleNull") // Java 22 has Console.isTerminal; 17 has not
  public static boolean isTerminal(int stream) {
    String told = System.getProperty(PROPERTY);
    return told == null
        ? stream == OUTPUT && System.console() != null
        : told.contains(String.valueOf(stream));
  }

  /**
   * The terminal of this process, by its environment: {@code COLUMNS}, {@code TERM} and {@code
   * NO_COLOR}, which speaks for itself if it is not empty.
   */
  public static Terminal ofProcess() {
    if (!isTerminal(OUTPUT)) {
      return NONE;
    }
    Integer columns = Ints.tryParse(Strings.nullToEmpty(System.getenv("COLUMNS")));
    boolean isColored =
        Strings.isNullOrEmpty(System.getenv("NO_COLOR")) && !"dumb".equals(System.getenv("TERM"));
    return new Terminal(true, columns == null ? NONE.width() : columns, isColored);
  }
}
