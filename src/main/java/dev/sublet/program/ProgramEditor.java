package dev.sublet.program;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.protobuf.ByteString;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes to a program and builds the changed copy; the original stays as it is.
 *
 * <p>Messages that no change touches are shared with the original, so their bytes do not change.
 * Does not check that a change preserves the program's meaning: the rewrite validator does.
 */
@SuppressWarnings("ReferenceEquality") // an unchanged message is recognized by its identity
public final class ProgramEditor {

  private final Program program;
  private final int[] target;
  private final int[] typeSource;
  private final int[] lodLevel;
  private final BitSet removed = new BitSet();
  private final Map<Long, List<OpDesc>> insertions = new HashMap<>();
  private final Map<Renamed, OpDesc.Var> renamed = new HashMap<>();
  private @Nullable String droppedAttribute;

  /** By block: its operators in another order. */
  private final Map<Integer, ImmutableIntArray> orders = new HashMap<>();

  private ProgramEditor(Program program) {
    this.program = program;
    this.target = new int[program.variableCount()];
    this.typeSource = new int[program.variableCount()];
    this.lodLevel = new int[program.variableCount()];
    for (int i = 0; i < target.length; i++) {
      target[i] = i;
      typeSource[i] = i;
    }
    Arrays.fill(lodLevel, Integer.MIN_VALUE); // a file may declare a negative level
  }

  /** An editor without changes. */
  public static ProgramEditor of(Program program) {
    return new ProgramEditor(program);
  }

  /**
   * Replaces every reference to {@code variable}, in slots and attributes of all blocks, by {@code
   * into}, and removes the declaration of {@code variable}. O(1).
   *
   * @throws IllegalArgumentException if the two are declared in different blocks
   */
  public ProgramEditor merge(int variable, int into) {
    checkArgument(
        program.variable(variable).block() == program.variable(into).block(),
        "%s and %s are declared in different blocks",
        program.variable(variable),
        program.variable(into));
    target[variable] = into;
    if (variable != into) {
      removed.set(variable);
    }
    return this;
  }

  /** Gives a variable the declaration of another variable: the type and all flags, not the name. */
  public ProgramEditor declareLike(int variable, int source) {
    typeSource[variable] = source;
    return this;
  }

  /** Raises the declared LoD level of a dense tensor to at least {@code level}. */
  public ProgramEditor declareLodLevel(int variable, int level) {
    lodLevel[variable] = level;
    return this;
  }

  /** Removes a variable's declaration; no operator may refer to the variable any more. */
  public ProgramEditor remove(int variable) {
    removed.set(variable);
    return this;
  }

  /** Removes every attribute of that name from every operator. */
  public ProgramEditor dropAttribute(String name) {
    droppedAttribute = name;
    return this;
  }

  /**
   * Gives the operators of blocks another order. Operators that are inserted stay after the
   * operator for which they are.
   *
   * @param byBlock the operators of some blocks, each operator of such a block once
   */
  public ProgramEditor reorder(ImmutableMap<Integer, ImmutableIntArray> byBlock) {
    byBlock.forEach(
        (block, operators) -> {
          int count = program.block(block).operations().size();
          BitSet listed = new BitSet();
          operators.forEach(listed::set);
          checkArgument(
              operators.length() == count
                  && listed.cardinality() == count
                  && listed.length() == count,
              "%s does not list each of %s operators once",
              operators,
              count);
          orders.put(block, operators);
        });
    return this;
  }

  private ImmutableList<Operation> ordered(Block block) {
    ImmutableIntArray order = orders.get(block.index());
    if (order == null) {
      return block.operations();
    }
    ImmutableList.Builder<Operation> ordered = ImmutableList.builder();
    order.forEach(i -> ordered.add(block.operations().get(i)));
    return ordered.build();
  }

  /**
   * Adds an operator without attributes after an existing operator, and after operators inserted
   * there before. The arguments are variables of the original program; merges made before this call
   * apply to them.
   */
  public ProgramEditor insertAfter(
      Operation position,
      String type,
      ImmutableListMultimap<String, Integer> inputs,
      ImmutableListMultimap<String, Integer> outputs) {
    OpDesc.Builder operation = OpDesc.newBuilder().setType(type);
    inputs.asMap().forEach((slot, variables) -> operation.addInputs(slotOf(slot, variables)));
    outputs.asMap().forEach((slot, variables) -> operation.addOutputs(slotOf(slot, variables)));
    insertions
        .computeIfAbsent(key(position.block(), position.index()), k -> new ArrayList<>())
        .add(operation.build());
    return this;
  }

  private OpDesc.Var slotOf(String name, Iterable<Integer> variables) {
    OpDesc.Var.Builder slot = OpDesc.Var.newBuilder().setParameter(name);
    for (int variable : variables) {
      slot.addArgumentsBytes(Names.encode(program.variable(target[variable]).name()));
    }
    return slot.build();
  }

  private static long key(int block, int operation) {
    return ((long) block << 32) | operation;
  }

  /** Returns the changed program. O(size of the program). */
  public Program build() {
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    for (Block block : program.blocks()) {
      BlockDesc edited = edit(block);
      if (edited != block.message()) {
        message.setBlocks(block.index(), edited);
      }
    }
    return Program.of(message.build());
  }

  private BlockDesc edit(Block block) {
    List<VarDesc> variables = new ArrayList<>(block.variables().size());
    boolean changed = orders.containsKey(block.index());
    for (Variable variable : block.variables()) {
      if (removed.get(variable.index())) {
        changed = true;
        continue;
      }
      VarDesc edited = edit(variable);
      changed |= edited != variable.message();
      variables.add(edited);
    }
    List<OpDesc> operations = new ArrayList<>(block.operations().size());
    for (Operation operation : ordered(block)) {
      OpDesc edited = edit(operation);
      changed |= edited != operation.written();
      operations.add(edited);
      List<OpDesc> inserted = insertions.get(key(operation.block(), operation.index()));
      if (inserted != null) {
        changed = true;
        operations.addAll(inserted);
      }
    }
    if (!changed) {
      return block.message();
    }
    return block.message().toBuilder()
        .clearVars()
        .addAllVars(variables)
        .clearOps()
        .addAllOps(operations)
        .build();
  }

  private VarDesc edit(Variable variable) {
    int source = typeSource[variable.index()];
    VarDesc declared = program.variable(source).message();
    boolean raises = declared.getType().getLodTensor().getLodLevel() < lodLevel[variable.index()];
    if (source == variable.index() && !raises) {
      return variable.message();
    }
    VarDesc.Builder edited = declared.toBuilder().setNameBytes(variable.message().getNameBytes());
    if (raises) {
      edited.getTypeBuilder().getLodTensorBuilder().setLodLevel(lodLevel[variable.index()]);
    }
    return edited.build();
  }

  private OpDesc edit(Operation operation) {
    boolean slots = renamesAny(operation);
    Map<String, Map<Integer, Integer>> attributes = renamedAttributes(operation);
    boolean drops = droppedAttribute != null && operation.attribute(droppedAttribute).isPresent();
    if (!slots && attributes.isEmpty() && !drops) {
      return operation.written();
    }
    OpDesc.Builder edited = operation.message().toBuilder();
    if (slots) {
      ImmutableList<Slot> inputs = operation.inputSlots();
      for (int i = 0; i < inputs.size(); i++) {
        edited.setInputs(i, edit(operation.message().getInputs(i), inputs.get(i)));
      }
      ImmutableList<Slot> outputs = operation.outputSlots();
      for (int i = 0; i < outputs.size(); i++) {
        edited.setOutputs(i, edit(operation.message().getOutputs(i), outputs.get(i)));
      }
    }
    if (attributes.isEmpty() && !drops) {
      return edited.build();
    }
    edited.clearAttrs();
    for (OpDesc.Attr attribute : operation.message().getAttrsList()) {
      if (!attribute.getName().equals(droppedAttribute)) {
        Map<Integer, Integer> renamings = attributes.get(attribute.getName());
        edited.addAttrs(renamings == null ? attribute : edit(attribute, renamings));
      }
    }
    return edited.build();
  }

  private boolean renamesAny(Operation operation) {
    for (int i = 0; i < operation.inputCount(); i++) {
      int variable = operation.input(i);
      if (variable != Program.NO_VARIABLE && target[variable] != variable) {
        return true;
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE && target[variable] != variable) {
        return true;
      }
    }
    return false;
  }

  /** The new variables of renamed references, by attribute name, then by position. */
  private Map<String, Map<Integer, Integer>> renamedAttributes(Operation operation) {
    Map<String, Map<Integer, Integer>> renamed = new HashMap<>();
    for (AttributeReference reference : program.attributeReferences(operation)) {
      int variable = reference.variable();
      if (target[variable] != variable && reference.renamable()) {
        renamed
            .computeIfAbsent(reference.attribute(), k -> new TreeMap<>())
            .put(reference.position(), target[variable]);
      }
    }
    return renamed;
  }

  /** A slot with one argument. */
  private record Renamed(String slot, int variable) {}

  /**
   * Returns a slot with renamed arguments. Few names are left of many, so slots with one argument
   * are made once for all operators.
   */
  private OpDesc.Var edit(OpDesc.Var message, Slot slot) {
    // Names of slots that are not UTF-8 may look alike.
    boolean isPlain =
        slot.size() == 1
            && message.getUnknownFields().asMap().isEmpty()
            && slot.name().indexOf('\uFFFD') < 0;
    if (!isPlain || slot.variable(0) == Program.NO_VARIABLE) {
      return rename(message, slot);
    }
    int variable = target[slot.variable(0)];
    return variable == slot.variable(0)
        ? message
        : renamed.computeIfAbsent(new Renamed(slot.name(), variable), key -> rename(message, slot));
  }

  private OpDesc.Var rename(OpDesc.Var message, Slot slot) {
    // An element of a repeated string field can be added as bytes but not set as bytes, so all
    // arguments are added anew.
    OpDesc.Var.Builder edited = message.toBuilder().clearArguments();
    boolean changed = false;
    for (int i = 0; i < slot.size(); i++) {
      int variable = slot.variable(i);
      if (variable != Program.NO_VARIABLE && target[variable] != variable) {
        edited.addArgumentsBytes(Names.encode(program.variable(target[variable]).name()));
        changed = true;
      } else {
        edited.addArgumentsBytes(message.getArgumentsBytes(i));
      }
    }
    return changed ? edited.build() : message;
  }

  private OpDesc.Attr edit(OpDesc.Attr message, Map<Integer, Integer> renamings) {
    OpDesc.Attr.Builder edited = message.toBuilder().clearStrings().clearVarsName();
    for (int i = 0; i < message.getStringsCount(); i++) {
      edited.addStringsBytes(renamed(renamings, i, message.getStringsBytes(i)));
    }
    for (int i = 0; i < message.getVarsNameCount(); i++) {
      edited.addVarsNameBytes(renamed(renamings, i, message.getVarsNameBytes(i)));
    }
    switch (message.getType()) {
      case STRING -> edited.setSBytes(renamed(renamings, 0, message.getSBytes()));
      case VAR -> edited.setVarNameBytes(renamed(renamings, 0, message.getVarNameBytes()));
      default -> {}
    }
    return edited.build();
  }

  private ByteString renamed(Map<Integer, Integer> renamings, int position, ByteString original) {
    Integer variable = renamings.get(position);
    return variable == null ? original : Names.encode(program.variable(variable).name());
  }
}
