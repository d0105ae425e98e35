package dev.sublet.peak;

import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;

/** Copies of a program with one operator fewer or more in block 0. */
final class EditedProgram {

  private EditedProgram() {}

  /** The program without an operator. O(program). */
  static Program without(Program program, int index) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    message.getBlocksBuilder(0).removeOps(index);
    return Program.of(message.build());
  }

  /**
   * The program in which an operator runs a second time, with an output of another name, and later
   * operators read that output. O(program).
   *
   * @param writer the index of the operator
   * @param reader the index of the first operator that reads the second output
   * @param name the name of the first output
   * @param again the name of the second output
   */
  static Program repeating(Program program, int writer, int reader, String name, String again) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    for (VarDesc variable : program.toMessage().getBlocks(0).getVarsList()) {
      if (variable.getName().equals(name)) {
        block.addVars(variable.toBuilder().setName(again));
      }
    }
    OpDesc.Builder copy = block.getOps(writer).toBuilder();
    copy.getOutputsBuilderList().forEach(slot -> rename(slot, name, again));
    for (int i = reader; i < block.getOpsCount(); i++) {
      block.getOpsBuilder(i).getInputsBuilderList().forEach(slot -> rename(slot, name, again));
    }
    block.addOps(reader, copy);
    return Program.of(message.build());
  }

  private static void rename(OpDesc.Var.Builder slot, String from, String to) {
    for (int i = 0; i < slot.getArgumentsCount(); i++) {
      if (slot.getArguments(i).equals(from)) {
        slot.setArguments(i, to);
      }
    }
  }
}
