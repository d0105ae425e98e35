package dev.sublet.codec.program;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Program;
import java.util.Optional;

/**
 * A program, and what was noticed while it was read.
 *
 * @param program the program
 * @param format the form that it was found in
 * @param model the ONNX model that the program is a translation of; empty if it is none
 * @param warnings what the file seems to have lost before it was read; usually empty
 */
public record ReadProgram(
    Program program,
    ProgramFormat format,
    Optional<OnnxModel> model,
    ImmutableList<Diagnostic> warnings) {

  public ReadProgram {
    requireNonNull(program, "program");
    requireNonNull(format, "format");
    requireNonNull(model, "model");
    requireNonNull(warnings, "warnings");
  }
}
