package dev.sublet.codec.program;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Program;
import java.util.Optional;

/**
 * A program as it was read, with the form of its file and warnings about the file.
 *
 * @param program the program
 * @param format the form of the file
 * @param model the ONNX model from which the program was translated; empty if there is none
 * @param warnings the content that the file seems to have lost before it was read; usually empty
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
