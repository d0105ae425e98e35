package dev.sublet.paddle.runtime;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;

/**
 * Makes the copy of a program that Paddle 2.3.2 can run. It has the same operators in the same
 * places and computes the same; what differs:
 *
 * <ul>
 *   <li>{@code reshape2} and its like get the output {@code XShape} when newer versions left it
 *       out: 2.3.2 crashes without.
 * </ul>
 */
public final class RuntimeCopy {

  /** Operators that 2.3.2 runs only with an {@code XShape} output. */
  private static final ImmutableSet<String> WITH_XSHAPE =
      ImmutableSet.of(
          "reshape2",
          "transpose2",
          "squeeze2",
          "unsqueeze2",
          "flatten2",
          "flatten_contiguous_range");

  private static final String PREFIX = "runtime_copy.";

  private final ProgramDesc.Builder message;

  private RuntimeCopy(ProgramDesc.Builder message) {
    this.message = message;
  }

  /** The copy; O(size of the program). */
  public static Program of(Program program) {
    return Program.of(of(program.toMessage()));
  }

  /** Copies a message; O(size). */
  static ProgramDesc of(ProgramDesc program) {
    RuntimeCopy copy = new RuntimeCopy(program.toBuilder());
    for (BlockDesc.Builder block : copy.message.getBlocksBuilderList()) {
      addShapeOutputs(block);
    }
    copy.addParameterIfNone();
    return copy.message.build();
  }

  /** Whether a variable of that name is in the copy only. */
  public static boolean hasAdded(String name) {
    return name.startsWith(PREFIX);
  }

  /**
   * The copy without its fetches, for a run that needs no outputs: the interface to the runtime
   * cannot hand over every type.
   */
  static ProgramDesc withoutFetches(ProgramDesc program) {
    ProgramDesc.Builder copy = of(program).toBuilder();
    BlockDesc.Builder block = copy.getBlocksBuilder(0);
    for (int i = block.getOpsCount() - 1; i >= 0; i--) {
      if (block.getOps(i).getType().equals("fetch")) {
        block.removeOps(i);
      }
    }
    return copy.build();
  }

  private void addParameterIfNone() {
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    for (VarDesc variable : block.getVarsList()) {
      if (variable.getPersistable() && variable.getType().getType() == VarType.Type.LOD_TENSOR) {
        return;
      }
    }
    block.addVars(tensor(PREFIX + "parameter", 1).setPersistable(true));
  }

  private static void addShapeOutputs(BlockDesc.Builder block) {
    for (int i = 0; i < block.getOpsCount(); i++) {
      OpDesc operation = block.getOps(i);
      if (WITH_XSHAPE.contains(operation.getType()) && !writesShape(operation)) {
        String name = PREFIX + "xshape_" + block.getIdx() + "_" + i;
        block.addVars(tensor(name, 0)); // 2.3.2 sets its shape
        OpDesc.Builder edited = block.getOpsBuilder(i);
        // A slot without arguments may be there.
        for (int slot = edited.getOutputsCount() - 1; slot >= 0; slot--) {
          if (edited.getOutputs(slot).getParameter().equals("XShape")) {
            edited.removeOutputs(slot);
          }
        }
        edited.addOutputsBuilder().setParameter("XShape").addArguments(name);
      }
    }
  }

  private static boolean writesShape(OpDesc operation) {
    for (OpDesc.Var slot : operation.getOutputsList()) {
      if (slot.getParameter().equals("XShape") && slot.getArgumentsCount() > 0) {
        return true;
      }
    }
    return false;
  }

  private static VarDesc.Builder tensor(String name, long extent) {
    VarDesc.Builder variable = VarDesc.newBuilder().setName(name);
    variable.getTypeBuilder().setType(VarType.Type.LOD_TENSOR);
    VarType.TensorDesc.Builder tensor =
        variable.getTypeBuilder().getLodTensorBuilder().getTensorBuilder();
    tensor.setDataType(VarType.Type.FP32).addDims(extent);
    return variable;
  }
}
