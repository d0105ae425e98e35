package dev.sublet.cli.flag;

import dev.sublet.cli.console.Streams;
import dev.sublet.cli.console.Terminal;
import dev.sublet.picture.Picture;
import dev.sublet.picture.TerminalPicture;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The options for the map of the arenas on the terminal. */
public final class MapFlags {

  /** The cases in which the map is in color. */
  enum Color {
    /**
     * A map on a terminal, in color if the terminal shows colors and {@code NO_COLOR} is not set.
     */
    AUTO,
    /** A map in color, even into a file or a pipe. */
    ALWAYS,
    /** A map on a terminal, without color. */
    NEVER
  }

  @Option(
      names = "--color",
      paramLabel = "auto|always|never",
      description =
          "Whether the map on a terminal is in color. auto: if the terminal shows colors "
              + "and NO_COLOR is not set; always: print the map in color, even to a file or "
              + "pipe; never: print it without color. Default: auto. Example: --color never.")
  private Color color = Color.AUTO;

  /**
   * Prints a map to standard output if that is a terminal, or if colors are requested in any case.
   */
  public void print(Supplier<Picture> picture, Streams streams) {
    if (streams.terminal().isTerminal() || color == Color.ALWAYS) {
      printAnywhere(picture.get(), streams);
    }
  }

  /** Prints a map to standard output, whether or not that is a terminal. */
  public void printAnywhere(Picture picture, Streams streams) {
    Terminal terminal = streams.terminal();
    boolean isColored =
        switch (color) {
          case AUTO -> terminal.isColored();
          case ALWAYS -> true;
          case NEVER -> false;
        };
    streams.out().print(TerminalPicture.toText(picture, terminal.width(), isColored));
  }
}
