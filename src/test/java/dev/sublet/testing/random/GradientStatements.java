package dev.sublet.testing.random;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Names;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds a backward pass in the form in which Paddle's {@code append_backward} writes it: an operator
 * {@code T_grad} for each operator T in reverse order, sums where a variable has several
 * contributions, and for each loop or branch a gradient operator with a block of its own. The
 * derivatives are not right, but every variable that is read has a value.
 */
final class GradientStatements {

  private static final String GRAD = "@GRAD";

  private static final ImmutableSet<String> WITHOUT_GRADIENT =
      ImmutableSet.of(
          "feed",
          "fetch",
          "fill_constant",
          "increment",
          "less_than",
          "logical_not",
          "cast",
          "write_to_array",
          "read_from_array",
          "select_input",
          "recurrent",
          "mystery_runner",
          "mystery_maybe",
          "batch_norm");

  private final ProgramDraft draft;

  GradientStatements(ProgramDraft draft) {
    this.draft = draft;
  }

  /** Adds the gradients of one block's operators so far to another block, or to the same. */
  void addBackward(BlockDraft forward, BlockDraft target) {
    List<OpDesc> operations = new ArrayList<>(forward.operations());
    for (int i = operations.size() - 1; i >= 0; i--) {
      OpDesc operation = operations.get(i);
      switch (operation.getType()) {
        case "while" -> addWhileGradient(forward, i, operation, target);
        case "conditional_block" -> addConditionalGradient(forward, i, operation, target);
        default -> {
          if (!WITHOUT_GRADIENT.contains(operation.getType())) {
            addGradient(operation, target);
          }
        }
      }
    }
  }

  private void addGradient(OpDesc operation, BlockDraft target) {
    OperationDraft gradient = new OperationDraft(operation.getType() + "_grad");
    boolean wanted = false;
    for (OpDesc.Var slot : operation.getOutputsList()) {
      List<String> gradients = new ArrayList<>();
      for (String name : slot.getArgumentsList()) {
        boolean has = target.isDefined(name + GRAD);
        gradients.add(has ? name + GRAD : Names.EMPTY);
        wanted |= has;
      }
      gradient.in(slot.getParameter() + GRAD, gradients);
    }
    if (!wanted) {
      return;
    }
    List<String> contributions = new ArrayList<>();
    for (OpDesc.Var slot : operation.getInputsList()) {
      if (draft.chance(70) || draft.isTyped()) {
        gradient.in(slot.getParameter(), slot.getArgumentsList());
      }
      List<String> gradients = new ArrayList<>();
      for (String name : slot.getArgumentsList()) {
        String made = draft.chance(90) ? declareGradient(target, name) : Names.EMPTY;
        gradients.add(made);
        contributions.add(made);
      }
      gradient.out(slot.getParameter() + GRAD, gradients);
    }
    target.add(gradient);
    addSums(target, contributions);
  }

  /**
   * Declares where a contribution to a variable's gradient goes; {@code @EMPTY@} if the gradient
   * belongs to a block around this one.
   */
  private String declareGradient(BlockDraft target, String name) {
    String gradient = name + GRAD;
    String type = ProgramDraft.type(target, name);
    if (type.isEmpty() || type.startsWith("array") || type.startsWith("step_scopes")) {
      return Names.EMPTY;
    }
    if (target.declares(gradient)) {
      return target.declare(draft.freshName(gradient + "@RENAME@"), type);
    }
    return target.isDefined(gradient) || target.uses(gradient)
        ? Names.EMPTY
        : target.declare(gradient, type);
  }

  private void addSums(BlockDraft target, List<String> contributions) {
    for (String made : contributions) {
      int renamed = made.indexOf("@RENAME@");
      if (renamed >= 0) {
        String gradient = made.substring(0, renamed);
        target.add(new OperationDraft("sum").in("X", gradient, made).out("Out", gradient));
      }
    }
  }

  private void addWhileGradient(
      BlockDraft forward, int position, OpDesc operation, BlockDraft target) {
    List<String> outer = new ArrayList<>();
    for (String name : arguments(operation.getOutputsList(), "Out")) {
      if (target.isDefined(name + GRAD) && !outer.contains(name + GRAD)) {
        outer.add(name + GRAD);
      }
    }
    if (outer.isEmpty() || draft.chance(10)) {
      return;
    }
    BlockDraft body = draft.block(blockOf(operation));
    BlockDraft block = draft.addBlock(target, body);
    for (String name : outer) {
      block.declare(name, ProgramDraft.type(target, name));
      block.define(name);
    }
    addBackward(body, block);
    addHiding(body, block);
    skipDeletion(forward, position, block);
    List<String> inputs = arguments(operation.getInputsList(), "X");
    List<String> contributions = prepareContributions(inputs, block, target);
    target.add(
        new OperationDraft("while_grad")
            .in("X", inputs)
            .in("Out", arguments(operation.getOutputsList(), "Out"))
            .in("Out" + GRAD, outer)
            .in("StepScopes", arguments(operation.getOutputsList(), "StepScopes"))
            .out("X" + GRAD, contributions)
            .block(block.index())
            .names("original_output_grad", outer));
    addSums(target, contributions);
  }

  private void addConditionalGradient(
      BlockDraft forward, int position, OpDesc operation, BlockDraft target) {
    List<String> outputs = arguments(operation.getOutputsList(), "Out");
    List<String> outer = new ArrayList<>();
    for (String name : outputs) {
      outer.add(target.isDefined(name + GRAD) ? name + GRAD : Names.EMPTY);
    }
    if (outer.stream().allMatch(Names.EMPTY::equals) || draft.chance(10)) {
      return;
    }
    BlockDraft body = draft.block(blockOf(operation));
    BlockDraft block = draft.addBlock(target, body);
    addBackward(body, block);
    addHiding(body, block);
    skipDeletion(forward, position, block);
    List<String> inputs = arguments(operation.getInputsList(), "Input");
    List<String> contributions = prepareContributions(inputs, block, target);
    target.add(
        new OperationDraft("conditional_block_grad")
            .in("Cond", arguments(operation.getInputsList(), "Cond"))
            .in("Input", inputs)
            .in("Out", outputs)
            .in("Out" + GRAD, outer)
            .in("Scope", arguments(operation.getOutputsList(), "Scope"))
            .out("Input" + GRAD, contributions)
            .block(block.index())
            .flag("is_scalar_condition"));
    addSums(target, contributions);
  }

  /** The outer gradients that a gradient operator adds to; each has a value before it runs. */
  private List<String> prepareContributions(
      List<String> inputs, BlockDraft block, BlockDraft target) {
    List<String> contributions = new ArrayList<>();
    for (String name : inputs) {
      boolean made = block.declares(name + GRAD) && block.isDefined(name + GRAD);
      String gradient = made && draft.chance(85) ? declareGradient(target, name) : Names.EMPTY;
      if (!gradient.equals(Names.EMPTY)) {
        target.add(new OperationDraft("fill_constant").out("Out", gradient));
      }
      contributions.add(gradient);
    }
    return contributions;
  }

  /** Sometimes declares a name of the forward block again: at run time the two are one variable. */
  private void addHiding(BlockDraft body, BlockDraft block) {
    for (String name : body.declared()) {
      boolean plain = !body.typeOf(name).contains(" ") && body.typeOf(name).startsWith("fp32[");
      if (plain && body.isDefined(name) && !block.uses(name) && draft.chance(3)) {
        block.declare(name, body.typeOf(name));
        block.add(new OperationDraft("fill_constant").out("Out", name));
        return;
      }
    }
  }

  /** Tells the forward operator's runtime what the gradient's block still needs. */
  private void skipDeletion(BlockDraft forward, int position, BlockDraft block) {
    OpDesc.Builder operation = forward.operations().get(position).toBuilder();
    operation
        .addAttrsBuilder()
        .setName("skip_eager_deletion_vars")
        .setType(AttrType.STRINGS)
        .addAllStrings(block.usedFromOutside());
    forward.replace(position, operation.build());
  }

  private static int blockOf(OpDesc operation) {
    for (OpDesc.Attr attribute : operation.getAttrsList()) {
      if (attribute.getType() == AttrType.BLOCK) {
        return attribute.getBlockIdx();
      }
    }
    throw new IllegalArgumentException(operation.getType() + " has no block");
  }

  private static List<String> arguments(List<OpDesc.Var> slots, String name) {
    for (OpDesc.Var slot : slots) {
      if (slot.getParameter().equals(name)) {
        return slot.getArgumentsList();
      }
    }
    return new ArrayList<>();
  }
}
