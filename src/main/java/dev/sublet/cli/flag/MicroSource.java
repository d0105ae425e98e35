package dev.sublet.cli.flag;

import dev.sublet.cli.argument.FileArgument;
import dev.sublet.cli.console.Streams;
import dev.sublet.codec.file.TextFiles;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.micro.op.MicroGraphText;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.micro.text.MicroSyntaxException;
import java.util.Optional;

/**
 * A file that {@code micro} has read, in one of its two forms.
 *
 * @param graph the graph, if the file contains micro ops
 * @param program the loop nests of the graph, or those in the file
 */
public record MicroSource(Optional<MicroGraph> graph, MicroProgram program) {

  /**
   * Reads a file.
   *
   * @param argument a path, or {@code -} for standard input
   * @throws ProgramException if the file cannot be read or is malformed
   */
  public static MicroSource read(String argument, Streams streams) {
    boolean standardInput = argument.equals(Streams.DASH);
    String name = standardInput ? "<stdin>" : argument;
    String text =
        standardInput
            ? TextFiles.decode(streams.readInput(), name)
            : TextFiles.read(FileArgument.path(argument));
    if (text.isBlank()) {
      throw ProgramException.unreadable(Location.file(name), "the file is empty");
    }
    try {
      if (!MicroGraphText.isGraph(text)) {
        return new MicroSource(Optional.empty(), MicroProgramText.parse(text));
      }
      MicroGraph graph = MicroGraphText.parse(text);
      return new MicroSource(Optional.of(graph), graph.emit());
    } catch (MicroSyntaxException e) {
      throw ProgramException.unreadable(
          Location.file(name + ":" + e.line() + ":" + e.column()), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the graph.
   *
   * @param what the option that needs the graph, for the message
   * @throws ProgramException if the file contains loops and not micro ops
   */
  public MicroGraph graphFor(String what) {
    return graph.orElseThrow(
        () ->
            ProgramException.usage(
                what + " needs micro ops; '" + program.name() + "' is written in loops"));
  }
}
