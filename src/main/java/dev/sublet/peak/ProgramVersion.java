package dev.sublet.peak;

import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Program;
import java.util.Optional;

/**
 * A program as it was read, or with a change.
 *
 * @param program the program that is planned
 * @param model the ONNX model of the program; empty for a Paddle program
 */
public record ProgramVersion(Program program, Optional<OnnxModel> model) {

  /** A Paddle program. */
  static ProgramVersion of(Program program) {
    return new ProgramVersion(program, Optional.empty());
  }

  /** An ONNX model. */
  static ProgramVersion of(OnnxModel model) {
    return new ProgramVersion(model.program(), Optional.of(model));
  }
}
