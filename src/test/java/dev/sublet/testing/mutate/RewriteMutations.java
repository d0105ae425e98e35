package dev.sublet.testing.mutate;

import com.google.protobuf.ByteString;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Random changes to a program, right and wrong ones, as any other tool might make them: on the
 * message itself, and across blocks. A change that finds nothing to do returns the program as it
 * is; a change may also make a program that cannot be read.
 */
public final class RewriteMutations {

  /** What can be changed. */
  public enum Kind {
    /** A variable takes the name of one of another block, everywhere. */
    RENAME_ACROSS_BLOCKS,
    /** Two variables take the same name. */
    RENAME_TWO,
    /** An operator's input and output become one variable, with the name of either. */
    WRITE_OVER_INPUT,
    /** A variable takes another name in one block and the blocks inside it only. */
    RENAME_IN_BLOCK,
    /** A variable takes another name from one operator of a block on. */
    RENAME_FROM,
    REPLACE_ARGUMENT,
    SWAP_ARGUMENTS,
    SWAP_OPERATORS,
    REMOVE_OPERATOR,
    REPEAT_OPERATOR,
    DROP_ASSIGN,
    INSERT_ASSIGN,
    INSERT_DELETION,
    /** Never right. */
    CHANGE_ATTRIBUTE,
    /** Never right. */
    CHANGE_BLOCK_LINK,
    /** Never right: of a variable that some operator uses. */
    CHANGE_DECLARATION
  }

  private final SplittableRandom random;

  /** Changes that follow from a seed. */
  public RewriteMutations(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The changed program; the same one if there is nothing to change. */
  public Program apply(Kind kind, Program program) {
    return switch (kind) {
      case RENAME_ACROSS_BLOCKS -> renameOne(program);
      case RENAME_TWO -> renameTwo(program);
      case WRITE_OVER_INPUT -> writeOverInput(program);
      case RENAME_IN_BLOCK -> renameInBlock(program);
      case RENAME_FROM -> renameFrom(program);
      case REPLACE_ARGUMENT -> replaceArgument(program);
      case SWAP_ARGUMENTS -> swapArguments(program);
      case SWAP_OPERATORS -> swapOperators(program);
      case REMOVE_OPERATOR -> removeOperator(program, anyOperation(program));
      case REPEAT_OPERATOR -> repeatOperator(program);
      case DROP_ASSIGN -> dropAssign(program);
      case INSERT_ASSIGN -> insert(program, "assign");
      case INSERT_DELETION -> insert(program, "delete_var");
      case CHANGE_ATTRIBUTE -> changeAttribute(program);
      case CHANGE_BLOCK_LINK -> changeBlockLink(program);
      case CHANGE_DECLARATION -> changeDeclaration(program);
    };
  }

  private Program renameOne(Program program) {
    Variable variable = anyUsed(program);
    return renameAll(program, variable, anyLike(program, variable));
  }

  private Program renameTwo(Program program) {
    Variable first = anyUsed(program);
    Variable target = anyLike(program, first);
    Program renamed = renameAll(program, first, target);
    List<Variable> others = new ArrayList<>();
    for (Variable other : renamed.variables()) {
      if (other.block() != first.block() && other.hasSameType(first)) {
        others.add(other);
      }
    }
    return others.isEmpty() ? renamed : renameAll(renamed, pick(others), target);
  }

  private Program writeOverInput(Program program) {
    Operation operation = anyOperation(program);
    for (int tries = 0; tries < 8; tries++) {
      if (operation.inputCount() > 0 && operation.outputCount() > 0) {
        int input = operation.input(random.nextInt(operation.inputCount()));
        int output = operation.output(random.nextInt(operation.outputCount()));
        boolean alike =
            input != Program.NO_VARIABLE
                && output != Program.NO_VARIABLE
                && input != output
                && program.variable(input).hasSameType(program.variable(output));
        if (alike) {
          boolean toOutput = random.nextInt(3) > 0;
          Variable from = program.variable(toOutput ? input : output);
          return renameAll(program, from, program.variable(toOutput ? output : input));
        }
      }
      operation = anyOperation(program);
    }
    return program;
  }

  private Program renameAll(Program program, Variable variable, Variable target) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    rename(program, variable, target, operation -> true, message);
    BlockDesc.Builder home = message.getBlocksBuilder(variable.block());
    for (int i = 0; i < home.getVarsCount(); i++) {
      if (home.getVars(i).getName().equals(variable.name())
          && !target.id().equals(variable.id())
          && random.nextInt(10) > 0) {
        home.removeVars(i);
        break;
      }
    }
    return Program.of(message.build());
  }

  private Program renameInBlock(Program program) {
    Operation user = anyOperation(program);
    Variable variable = anyArgument(program, user);
    Block block = program.block(user.block());
    Variable local = anyLike(program, variable);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    rename(
        program,
        variable,
        local,
        operation -> program.lookupPath(operation.block()).contains(block.index()),
        message);
    return Program.of(message.build());
  }

  private Program renameFrom(Program program) {
    Operation user = anyOperation(program);
    Variable variable = anyArgument(program, user);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    rename(
        program,
        variable,
        anyLike(program, variable),
        operation -> operation.block() == user.block() && operation.index() >= user.index(),
        message);
    return Program.of(message.build());
  }

  private static void rename(
      Program program,
      Variable variable,
      Variable target,
      Predicate<Operation> where,
      ProgramDesc.Builder message) {
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (where.test(operation)) {
          OpDesc.Builder edited =
              message.getBlocksBuilder(block.index()).getOpsBuilder(operation.index());
          renameSlots(operation, variable, target, edited);
          renameAttributes(program, operation, variable, target, edited);
        }
      }
    }
  }

  private static void renameSlots(
      Operation operation, Variable variable, Variable target, OpDesc.Builder edited) {
    for (int s = 0; s < edited.getInputsCount(); s++) {
      for (int i = 0; i < edited.getInputs(s).getArgumentsCount(); i++) {
        if (operation.inputSlots().get(s).variable(i) == variable.index()) {
          edited.getInputsBuilder(s).setArguments(i, target.name());
        }
      }
    }
    for (int s = 0; s < edited.getOutputsCount(); s++) {
      for (int i = 0; i < edited.getOutputs(s).getArgumentsCount(); i++) {
        if (operation.outputSlots().get(s).variable(i) == variable.index()) {
          edited.getOutputsBuilder(s).setArguments(i, target.name());
        }
      }
    }
  }

  private static void renameAttributes(
      Program program,
      Operation operation,
      Variable variable,
      Variable target,
      OpDesc.Builder edited) {
    for (AttributeReference reference : program.attributeReferences(operation)) {
      for (OpDesc.Attr.Builder attribute : edited.getAttrsBuilderList()) {
        if (reference.variable() == variable.index()
            && reference.renamable()
            && attribute.getName().equals(reference.attribute())
            && reference.position() < attribute.getStringsCount()) {
          attribute.setStrings(reference.position(), target.name());
        }
      }
    }
  }

  private Program replaceArgument(Program program) {
    Operation operation = anyOperation(program);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    OpDesc.Var.Builder slot = anySlot(operation, message);
    if (slot == null || slot.getArgumentsCount() == 0) {
      return program;
    }
    int i = random.nextInt(slot.getArgumentsCount());
    int variable = program.resolve(operation.block(), slot.getArguments(i));
    if (variable != Program.NO_VARIABLE) {
      slot.setArguments(i, anyLike(program, program.variable(variable)).name());
    }
    return Program.of(message.build());
  }

  private Program swapArguments(Program program) {
    Operation operation = anyOperation(program);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    OpDesc.Var.Builder one = anySlot(operation, message);
    OpDesc.Var.Builder other = anySlot(operation, message);
    if (one == null
        || other == null
        || one.getArgumentsCount() == 0
        || other.getArgumentsCount() == 0) {
      return program;
    }
    int i = random.nextInt(one.getArgumentsCount());
    int j = random.nextInt(other.getArgumentsCount());
    String name = one.getArguments(i);
    one.setArguments(i, other.getArguments(j));
    other.setArguments(j, name);
    return Program.of(message.build());
  }

  private OpDesc.Var.@Nullable Builder anySlot(Operation operation, ProgramDesc.Builder message) {
    OpDesc.Builder edited =
        message.getBlocksBuilder(operation.block()).getOpsBuilder(operation.index());
    int count = edited.getInputsCount() + edited.getOutputsCount();
    if (count == 0) {
      return null;
    }
    int slot = random.nextInt(count);
    return slot < edited.getInputsCount()
        ? edited.getInputsBuilder(slot)
        : edited.getOutputsBuilder(slot - edited.getInputsCount());
  }

  private Program swapOperators(Program program) {
    Operation operation = anyOperation(program);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(operation.block());
    int other = random.nextInt(block.getOpsCount());
    OpDesc moved = block.getOps(operation.index());
    block.setOps(operation.index(), block.getOps(other));
    block.setOps(other, moved);
    return Program.of(message.build());
  }

  private Program repeatOperator(Program program) {
    Operation operation = anyOperation(program);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(operation.block());
    block.addOps(random.nextInt(block.getOpsCount() + 1), block.getOps(operation.index()));
    return Program.of(message.build());
  }

  private static Program removeOperator(Program program, Operation operation) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    message.getBlocksBuilder(operation.block()).removeOps(operation.index());
    return Program.of(message.build());
  }

  private Program dropAssign(Program program) {
    List<Operation> copies = new ArrayList<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (operation.type().equals("assign")) {
          copies.add(operation);
        }
      }
    }
    return copies.isEmpty() ? program : removeOperator(program, pick(copies));
  }

  private Program insert(Program program, String type) {
    Operation position = anyOperation(program);
    Variable from = anyUsed(program);
    OpDesc.Builder inserted = OpDesc.newBuilder().setType(type);
    inserted.addInputsBuilder().setParameter("X").addArguments(from.name());
    if (type.equals("assign")) {
      String to = anyLike(program, from).name();
      inserted.addOutputsBuilder().setParameter("Out").addArguments(to);
    }
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    message
        .getBlocksBuilder(position.block())
        .addOps(position.index() + random.nextInt(2), inserted.build());
    return Program.of(message.build());
  }

  private Program changeAttribute(Program program) {
    Operation operation = anyOperation(program);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    OpDesc.Builder edited =
        message.getBlocksBuilder(operation.block()).getOpsBuilder(operation.index());
    if (edited.getAttrsCount() == 0) {
      return program;
    }
    int i = random.nextInt(edited.getAttrsCount());
    OpDesc.Attr.Builder attribute = edited.getAttrsBuilder(i);
    switch (attribute.getType()) {
      case INT -> attribute.setI(attribute.getI() + 1);
      case BOOLEAN -> attribute.setB(!attribute.getB());
      case STRINGS -> attribute.addStrings(anyUsed(program).name());
      default -> edited.removeAttrs(i);
    }
    return Program.of(message.build());
  }

  private Program changeBlockLink(Program program) {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    if (message.getBlocksCount() < 2) {
      return program;
    }
    BlockDesc.Builder block =
        message.getBlocksBuilder(1 + random.nextInt(message.getBlocksCount() - 1));
    int other = random.nextInt(message.getBlocksCount());
    if (random.nextBoolean()) {
      block.setParentIdx(other);
    } else {
      block.setForwardBlockIdx(block.getForwardBlockIdx() == Block.NONE ? other : Block.NONE);
    }
    return Program.of(message.build());
  }

  private Program changeDeclaration(Program program) {
    Variable variable = anyUsed(program);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(variable.block());
    for (VarDesc.Builder declaration : block.getVarsBuilderList()) {
      if (declaration.getNameBytes().equals(ByteString.copyFromUtf8(variable.name()))) {
        changeDeclaration(declaration);
      }
    }
    return Program.of(message.build());
  }

  private void changeDeclaration(VarDesc.Builder declaration) {
    VarType.Builder type = declaration.getTypeBuilder();
    int choice = type.hasLodTensor() ? random.nextInt(5) : 0;
    switch (choice) {
      case 1 -> type.getLodTensorBuilder().setLodLevel(type.getLodTensor().getLodLevel() + 1);
      case 2 -> type.getLodTensorBuilder().getTensorBuilder().setDataType(VarType.Type.UINT8);
      case 3 -> shrink(type.getLodTensorBuilder().getTensorBuilder());
      case 4 -> type.clearLodTensor().setType(VarType.Type.LOD_TENSOR_ARRAY);
      default -> declaration.setPersistable(!declaration.getPersistable());
    }
  }

  /** Takes a tensor's elements; one without elements gets another type, as it has no size. */
  private static void shrink(VarType.TensorDesc.Builder tensor) {
    if (tensor.getDimsList().contains(0L)) {
      tensor.setDataType(VarType.Type.UINT8);
    } else {
      tensor.clearDims().addDims(0);
    }
  }

  private Operation anyOperation(Program program) {
    List<Operation> all = new ArrayList<>();
    for (Block block : program.blocks()) {
      all.addAll(block.operations());
    }
    return pick(all);
  }

  /** A variable that some operator has as an argument, more often one of an inner block. */
  private Variable anyUsed(Program program) {
    Variable variable = anyArgument(program, anyOperation(program));
    for (int i = 0; i < 2 && variable.block() == 0; i++) {
      variable = anyArgument(program, anyOperation(program));
    }
    return variable;
  }

  private Variable anyArgument(Program program, Operation operation) {
    List<Variable> variables = new ArrayList<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        variables.add(program.variable(operation.input(i)));
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        variables.add(program.variable(operation.output(i)));
      }
    }
    return variables.isEmpty() ? pick(program.variables()) : pick(variables);
  }

  /** Another variable of the same type, mostly one that is visible from its block or inside it. */
  private Variable anyLike(Program program, Variable variable) {
    List<Variable> alike = new ArrayList<>();
    for (Variable other : program.variables()) {
      boolean related =
          program.lookupPath(variable.block()).contains(other.block())
              || program.lookupPath(other.block()).contains(variable.block());
      if (other.index() != variable.index() && other.hasSameType(variable) && related) {
        alike.add(other);
      }
    }
    return alike.isEmpty() || random.nextInt(20) == 0 ? pick(program.variables()) : pick(alike);
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
