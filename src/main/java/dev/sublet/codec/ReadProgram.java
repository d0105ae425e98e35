package dev.sublet.codec;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.program.Program;

/**
 * A program, and what was noticed while it was read.
 *
 * @param program the program
 * @param format the form that it was found in
 * @param warnings what the file seems to have lost before it was read; usually empty
 */
public record ReadProgram(
    Program program, ProgramFormat format, ImmutableList<Diagnostic> warnings) {

  public ReadProgram {
    requireNonNull(program, "program");
    requireNonNull(format, "format");
    requireNonNull(warnings, "warnings");
  }
}
