package dev.sublet.cli.argument;

import dev.sublet.diag.ProgramException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Arguments that name files. */
public final class FileArgument {

  private FileArgument() {}

  /**
   * Returns the path that an argument names.
   *
   * @throws ProgramException if the argument is not a valid file name
   */
  public static Path path(String argument) {
    if (argument.isEmpty()) {
      throw ProgramException.usage("'' is not a file name: it is empty");
    }
    try {
      return Path.of(argument);
    } catch (InvalidPathException e) {
      throw ProgramException.usage("'" + argument + "' is not a file name: " + e.getReason());
    }
  }
}
