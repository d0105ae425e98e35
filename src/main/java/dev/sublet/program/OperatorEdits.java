package dev.sublet.program;

import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;

/** Copies of a program with one operator fewer or more in block 0. Stateless. */
public final class OperatorEdits {

  private OperatorEdits() {}

  /**
   * Returns the program without an operator. O(program).
   *
   * @param index the index of the operator in block 0
   */
  public static Program without(Program program, int index) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    message.getBlocksBuilder(0).removeOps(index);
    return Program.of(message.build());
  }

  /**
   * Returns the program in which an operator runs a second time, with an output of another name,
   * and later operators read that output. O(program). Not checked: whether the inputs still have
   * their values.
   *
   * @param writer the index of the operator
   * @param reader the index of the first operator that reads the second output
   * @param name the name of the first output
   * @param again the name of the second output
   */
  public static Program repeating(
      Program program, int writer, int reader, String name, String again) {
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
