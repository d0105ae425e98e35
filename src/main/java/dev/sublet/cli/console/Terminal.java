package dev.sublet.cli.console;

import com.google.common.base.Strings;
import com.google.common.primitives.Ints;

/**
 * The properties of the terminal that shows standard output.
 *
 * @param isTerminal whether standard output is a terminal, and not a file or a pipe
 * @param width the number of characters per line
 * @param isColored whether the terminal shows colors and its user wants them
 */
public record Terminal(boolean isTerminal, int width, boolean isColored) {

  /** No terminal. */
  public static final Terminal NONE = new Terminal(false, 80, false);

  /** The number of standard output. */
  static final int OUTPUT = 1;

  /** The number of standard error. */
  public static final int ERROR = 2;

  /**
   * The system property in which {@code ./sublet} lists the streams among 1 and 2 that are
   * terminals.
   */
  private static final String PROPERTY = "sublet.terminals";

  /**
   * Whether a stream is a terminal. The launcher provides the answer. Without it, Java provides an
   * approximate answer: whether both standard input and standard output are terminals.
   */
  @SuppressWarnings("SystemConsoleNull") // Java 22 has Console.isTerminal; 17 does not
  public static boolean isTerminal(int stream) {
    String told = System.getProperty(PROPERTY);
    return told == null
        ? stream == OUTPUT && System.console() != null
        : told.contains(String.valueOf(stream));
  }

  /**
   * The terminal of this process, from the environment variables {@code COLUMNS}, {@code TERM} and
   * {@code NO_COLOR}. {@code COLUMNS} counts for files and pipes, too. A non-empty {@code NO_COLOR}
   * turns colors off.
   */
  public static Terminal ofProcess() {
    boolean isTerminal = isTerminal(OUTPUT);
    Integer columns = Ints.tryParse(Strings.nullToEmpty(System.getenv("COLUMNS")));
    boolean isColored =
        isTerminal
            && Strings.isNullOrEmpty(System.getenv("NO_COLOR"))
            && !"dumb".equals(System.getenv("TERM"));
    return new Terminal(
        isTerminal, columns == null || columns < 1 ? NONE.width() : columns, isColored);
  }
}
