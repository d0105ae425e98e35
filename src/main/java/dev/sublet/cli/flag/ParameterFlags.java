package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableMap;
import dev.sublet.cli.argument.FileArgument;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.codec.tensor.ParameterReader;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the parameters of a program. */
public final class ParameterFlags {

  @Option(
      names = "--params",
      paramLabel = "F",
      description =
          "The parameters of a Paddle program: one file, or a directory with one file per "
              + "parameter (links that lead out of it are refused). Default: pseudo-random "
              + "numbers, by name and shape. Example: --params model.pdiparams.")
  private @Nullable String parameters;

  /**
   * Reads the parameters of a program, or makes them up; then the log gets a note.
   *
   * @throws ProgramException if they cannot be read, or the option is given for an ONNX model
   */
  public ImmutableMap<String, Tensor> read(
      ProgramSource source, ReadProgram read, DiagnosticLog log) {
    Program program = read.program();
    if (read.model().isPresent()) {
      if (parameters != null) {
        throw ProgramException.usage("--params is for Paddle programs; a model has its own");
      }
      return source.about(() -> ModelParameters.read(read.model().get()));
    }
    if (parameters != null) {
      return ParameterReader.read(FileArgument.path(parameters), program);
    }
    ImmutableMap<String, Tensor> madeUp = RandomTensors.parameters(program);
    if (!madeUp.isEmpty()) {
      log.note(
          Location.nowhere(),
          "the program's "
              + madeUp.size()
              + " parameters are pseudo-random, by name and shape; see --params");
    }
    return madeUp;
  }
}
