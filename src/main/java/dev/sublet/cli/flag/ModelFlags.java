package dev.sublet.cli.flag;

import dev.sublet.Verifier;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.ConstantsMode;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of commands that plan or run ONNX models. */
public final class ModelFlags {

  @Option(
      names = "--constants",
      paramLabel = "folded|arena",
      description =
          "The memory of values that an ONNX model computes from constants only. folded: the "
              + "runtime computes them once and keeps them outside of the arena; arena: it computes "
              + "each in every run, just before its first use. A plan must be verified and run with "
              + "the same option. Default: folded. Example: --constants arena.")
  private ConstantsMode constants = ConstantsMode.FOLDED;

  /**
   * Reads a program or model from a source, with its constants where the option says.
   *
   * @throws ProgramException if the source has no program, if the program is malformed, or if
   *     --constants arena is given for a Paddle program
   */
  public ReadProgram read(ProgramSource source) {
    ReadProgram read = source.readProgram();
    if (constants == ConstantsMode.FOLDED) {
      return read;
    }
    if (read.model().isEmpty()) {
      throw ProgramException.usage("--constants arena is for ONNX models");
    }
    OnnxModel model = source.about(() -> read.model().get().withConstantsInArena());
    return new ReadProgram(model.program(), read.format(), Optional.of(model), read.warnings());
  }

  /**
   * Returns a plan if it is for a program that {@link #read} has returned. O(program).
   *
   * @throws ProgramException if it is not; the message says so if the option is missing
   */
  public MemoryPlan checkedFor(ReadProgram read, MemoryPlan plan) {
    if (constants == ConstantsMode.FOLDED
        && read.model().isPresent()
        && !isFor(read.program(), plan)
        && isFor(read.model().get().withConstantsInArena().program(), plan)) {
      throw ProgramException.usage(
          "the plan was made with --constants arena: give this option here, too");
    }
    return Verifier.checkedFor(read.program(), plan);
  }

  private static boolean isFor(Program program, MemoryPlan plan) {
    return ProgramWriter.sha256(program).equals(plan.programSha256());
  }
}
