package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Copies of a program with other operators in block 0. Stateless. */
public final class OperatorEdits {

  /** The end of a slice that takes all rows that there are. */
  public static final int TO_THE_END = Integer.MAX_VALUE;

  private OperatorEdits() {}

  /**
   * Returns the program without one of the operators that fetch results. Later results move up by
   * one column. O(program).
   *
   * @param index the index of the operator in block 0
   */
  public static Program withoutFetch(Program program, int index) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    long column = column(block.getOps(index));
    block.removeOps(index);
    for (OpDesc.Builder operator : block.getOpsBuilderList()) {
      boolean isFetch = operator.getType().startsWith("fetch");
      for (OpDesc.Attr.Builder attribute : operator.getAttrsBuilderList()) {
        if (isFetch && attribute.getName().equals("col") && attribute.getI() > column) {
          attribute.setI(attribute.getI() - 1);
        }
      }
    }
    return Program.of(message.build());
  }

  private static long column(OpDesc fetch) {
    for (OpDesc.Attr attribute : fetch.getAttrsList()) {
      if (attribute.getName().equals("col")) {
        return attribute.getI();
      }
    }
    return Long.MAX_VALUE;
  }

  /** The name of the output of an operator that runs again. */
  public static String again(String name) {
    return name + "@again";
  }

  /**
   * Returns the program in which an operator runs a second time, with an output of another name,
   * and later operators read that output. O(program). Not checked: whether the inputs still have
   * their values.
   *
   * @param writer the index of the operator
   * @param reader the index of the first operator that reads the second output, which has the name
   *     {@link #again}
   * @param name the name of the first output
   */
  public static Program repeating(Program program, int writer, int reader, String name) {
    String again = again(name);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    for (VarDesc variable : program.toMessage().getBlocks(0).getVarsList()) {
      if (variable.getName().equals(name)) {
        block.addVars(variable.toBuilder().setName(again).clearNeedCheckFeed());
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
   * Operators of block 0 between a tensor and the output of the last one.
   *
   * @param positions the indices of the operators, ascending
   * @param tensors the name of the tensor that is sliced, then the name of the output of each
   * @param rows the extent of the first axis of these tensors
   */
  public record SplitPart(
      ImmutableList<Integer> positions, ImmutableList<String> tensors, long rows) {

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

    /** The name of the whole tensor of the first half; empty if the name is of another form. */
    public static Optional<String> whole(String name) {
      String suffix = half("", 0);
      return name.endsWith(suffix)
          ? Optional.of(name.substring(0, name.length() - suffix.length()))
          : Optional.empty();
    }

    /** The number of rows of the first half, which has one more if the number is odd. */
    public long rowsOfFirst() {
      return rows - rows / 2;
    }

    /** The first row of a half; of half 2, the number of rows. */
    private long begin(int half) {
      return half == 0 ? 0 : half == 1 ? rowsOfFirst() : rows;
    }

    /** The row at which the slice of a half ends; the second one takes all rows that there are. */
    private int end(int half) {
      return half == 0 ? Ints.checkedCast(begin(1)) : TO_THE_END;
    }
  }

  /**
   * Returns the program in which operators run on the first half of the rows and then on the second
   * half, where the last of them was. O(program). Not checked: whether the rows are independent,
   * and whether the inputs still have their values there.
   *
   * <p>The whole tensors stay declared. The program is right for any number of rows above that of
   * the first half.
   */
  public static Program splitting(Program program, SplitPart part) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    for (VarDesc variable : program.toMessage().getBlocks(0).getVarsList()) {
      for (int half = 0; half < 2 && part.tensors().contains(variable.getName()); half++) {
        long rows = part.begin(half + 1) - part.begin(half);
        block.addVars(half(variable, SplitPart.half(variable.getName(), half), rows));
      }
    }
    List<OpDesc> operators = program.toMessage().getBlocks(0).getOpsList();
    block.clearOps();
    int last = part.positions().get(part.positions().size() - 1);
    for (int i = 0; i < operators.size(); i++) {
      if (!part.positions().contains(i)) {
        block.addOps(operators.get(i));
      }
      for (int half = 0; half < 2 && i == last; half++) {
        block.addOps(slice(part, half));
        for (int position : part.positions()) {
          block.addOps(onHalf(operators.get(position), part, half));
        }
      }
      if (i == last) {
        block.addOps(concat(part));
      }
    }
    return Program.of(message.build());
  }

  /**
   * Returns the program with a selection of the operators of block 0 in a given order, and with
   * other names. O(program). Not checked: whether the program computes the same.
   *
   * @param operators the operators that remain, by index
   * @param names by name of a variable of block 0 whose declaration goes: the name that the
   *     remaining operators use instead
   * @param declaring declares the names that the program does not declare
   */
  public static Program arranged(
      Program program, List<Integer> operators, Map<String, String> names, Program declaring) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0).clearOps().clearVars();
    for (VarDesc variable : program.toMessage().getBlocks(0).getVarsList()) {
      if (!names.containsKey(variable.getName())) {
        block.addVars(variable);
      }
    }
    for (VarDesc variable : declaring.toMessage().getBlocks(0).getVarsList()) {
      String name = variable.getName();
      if (names.containsValue(name) && program.declared(0, name) == Program.NO_VARIABLE) {
        block.addVars(variable);
      }
    }
    for (int index : operators) {
      OpDesc.Builder operator = block.addOpsBuilder();
      operator.mergeFrom(program.toMessage().getBlocks(0).getOps(index));
      operator.getInputsBuilderList().forEach(slot -> rename(slot, names));
      operator.getOutputsBuilderList().forEach(slot -> rename(slot, names));
    }
    return Program.of(message.build());
  }

  private static VarDesc half(VarDesc variable, String name, long rows) {
    VarDesc.Builder half = variable.toBuilder().setName(name).clearNeedCheckFeed();
    VarType.TensorDesc.Builder tensor =
        half.getTypeBuilder().getLodTensorBuilder().getTensorBuilder();
    if (tensor.getDimsCount() > 0 && tensor.getDims(0) >= 0) {
      tensor.setDims(0, rows);
    }
    return half.build();
  }

  private static OpDesc onHalf(OpDesc operator, SplitPart part, int half) {
    OpDesc.Builder copy = operator.toBuilder();
    for (String tensor : part.tensors()) {
      copy.getInputsBuilderList()
          .forEach(slot -> rename(slot, tensor, SplitPart.half(tensor, half)));
      copy.getOutputsBuilderList()
          .forEach(slot -> rename(slot, tensor, SplitPart.half(tensor, half)));
    }
    return copy.build();
  }

  private static OpDesc slice(SplitPart part, int half) {
    return OperationBuilder.of("slice")
        .input("Input", ImmutableList.of(part.input()))
        .output("Out", ImmutableList.of(SplitPart.half(part.input(), half)))
        .intsAttribute("axes", ImmutableList.of(0))
        .intsAttribute("starts", ImmutableList.of(Ints.checkedCast(part.begin(half))))
        .intsAttribute("ends", ImmutableList.of(part.end(half)))
        .intsAttribute("infer_flags", ImmutableList.of(1))
        .intsAttribute("decrease_axis", ImmutableList.of())
        .build();
  }

  private static OpDesc concat(SplitPart part) {
    String output = part.output();
    return OperationBuilder.of("concat")
        .input("X", ImmutableList.of(SplitPart.half(output, 0), SplitPart.half(output, 1)))
        .output("Out", ImmutableList.of(output))
        .attribute("axis", 0)
        .build();
  }

  private static void rename(OpDesc.Var.Builder slot, String from, String to) {
    rename(slot, ImmutableMap.of(from, to));
  }

  private static void rename(OpDesc.Var.Builder slot, Map<String, String> names) {
    for (int i = 0; i < slot.getArgumentsCount(); i++) {
      String name = names.get(slot.getArguments(i));
      if (name != null) {
        slot.setArguments(i, name);
      }
    }
  }
}
