package dev.sublet.cli.argument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The names in a file of variables that must stay unchanged, as for Paddle's {@code skip_opt_set}.
 *
 * @param file the file
 * @param names the names, in file order
 */
public record SkipSet(Path file, ImmutableSet<String> names) {

  /**
   * Reads a file. It contains one name per line; spaces around a name are ignored; empty lines and
   * lines that begin with {@code #} are skipped.
   *
   * @throws ProgramException if the file cannot be read
   */
  public static SkipSet read(Path file) {
    String text;
    try {
      text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw ProgramException.unreadable(Location.file(file.toString()), "no such file");
    } catch (IOException e) {
      throw ProgramException.unreadable(
          Location.file(file.toString()), "cannot be read: " + e.getMessage());
    }
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (String line : Splitter.on('\n').trimResults().omitEmptyStrings().split(text)) {
      if (!line.startsWith("#")) {
        names.add(line);
      }
    }
    return new SkipSet(file, names.build());
  }

  /**
   * Returns the names that some block declares. The log gets a warning about each of the others.
   * O(names × blocks).
   */
  public ImmutableSet<String> namesDeclaredIn(Program program, DiagnosticLog log) {
    ImmutableSet.Builder<String> declared = ImmutableSet.builder();
    for (String name : names) {
      if (isDeclared(program, name)) {
        declared.add(name);
      } else {
        log.warn(Location.file(file.toString()), "no block declares '" + name + "'; ignored");
      }
    }
    return declared.build();
  }

  private static boolean isDeclared(Program program, String name) {
    for (int block = 0; block < program.blocks().size(); block++) {
      if (program.declared(block, name) != Program.NO_VARIABLE) {
        return true;
      }
    }
    return false;
  }
}
