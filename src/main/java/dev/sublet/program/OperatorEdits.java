package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.List;

/** Copies of a program with other operators in block 0. Stateless. */
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

  /**
   * Operators of block 0 of which each reads the output of the one before.
   *
   * @param positions the indices of the operators, ascending
   * @param tensors the name of the first one's input, then the names of their outputs
   * @param rows the extent of the first axis of these tensors
   */
  public record Chain(ImmutableList<Integer> positions, ImmutableList<String> tensors, long rows) {

    /** The name of a tensor of the first half (0) or the second half (1). */
    public static String half(String tensor, int half) {
      return tensor + "@half" + (half + 1);
    }

    private String input() {
      return tensors.get(0);
    }

    private String output() {
      return tensors.get(tensors.size() - 1);
    }

    /** The first row of a half; of half 2, the number of rows. */
    private long begin(int half) {
      return half == 0 ? 0 : half == 1 ? rows - rows / 2 : rows;
    }
  }

  /**
   * Returns the program in which a chain runs on the first half of its rows and then on the second
   * half, where its last operator was. O(program). Not checked: whether the rows are independent,
   * and whether the inputs still have their values there.
   */
  public static Program splitting(Program program, Chain chain) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    for (VarDesc variable : program.toMessage().getBlocks(0).getVarsList()) {
      for (int half = 0; half < 2 && chain.tensors().contains(variable.getName()); half++) {
        long rows = chain.begin(half + 1) - chain.begin(half);
        block.addVars(half(variable, Chain.half(variable.getName(), half), rows));
      }
    }
    List<OpDesc> operators = program.toMessage().getBlocks(0).getOpsList();
    block.clearOps();
    int last = chain.positions().get(chain.positions().size() - 1);
    for (int i = 0; i < operators.size(); i++) {
      if (!chain.positions().contains(i)) {
        block.addOps(operators.get(i));
      }
      for (int half = 0; half < 2 && i == last; half++) {
        block.addOps(slice(chain, half));
        for (int position : chain.positions()) {
          block.addOps(onHalf(operators.get(position), chain, half));
        }
      }
      if (i == last) {
        block.addOps(concat(chain));
      }
    }
    return Program.of(message.build());
  }

  private static VarDesc half(VarDesc variable, String name, long rows) {
    VarDesc.Builder half = variable.toBuilder().setName(name);
    VarType.TensorDesc.Builder tensor =
        half.getTypeBuilder().getLodTensorBuilder().getTensorBuilder();
    if (tensor.getDimsCount() > 0 && tensor.getDims(0) >= 0) {
      tensor.setDims(0, rows);
    }
    return half.build();
  }

  private static OpDesc onHalf(OpDesc operator, Chain chain, int half) {
    OpDesc.Builder copy = operator.toBuilder();
    for (String tensor : chain.tensors()) {
      copy.getInputsBuilderList().forEach(slot -> rename(slot, tensor, Chain.half(tensor, half)));
      copy.getOutputsBuilderList().forEach(slot -> rename(slot, tensor, Chain.half(tensor, half)));
    }
    return copy.build();
  }

  private static OpDesc slice(Chain chain, int half) {
    return OperationBuilder.of("slice")
        .input("Input", ImmutableList.of(chain.input()))
        .output("Out", ImmutableList.of(Chain.half(chain.input(), half)))
        .intsAttribute("axes", ImmutableList.of(0))
        .intsAttribute("starts", ImmutableList.of(Ints.checkedCast(chain.begin(half))))
        .intsAttribute("ends", ImmutableList.of(Ints.checkedCast(chain.begin(half + 1))))
        .intsAttribute("infer_flags", ImmutableList.of(1))
        .intsAttribute("decrease_axis", ImmutableList.of())
        .build();
  }

  private static OpDesc concat(Chain chain) {
    String output = chain.output();
    return OperationBuilder.of("concat")
        .input("X", ImmutableList.of(Chain.half(output, 0), Chain.half(output, 1)))
        .output("Out", ImmutableList.of(output))
        .attribute("axis", 0)
        .build();
  }

  private static void rename(OpDesc.Var.Builder slot, String from, String to) {
    for (int i = 0; i < slot.getArgumentsCount(); i++) {
      if (slot.getArguments(i).equals(from)) {
        slot.setArguments(i, to);
      }
    }
  }
}
