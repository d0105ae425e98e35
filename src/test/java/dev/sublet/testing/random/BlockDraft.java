package dev.sublet.testing.random;

import dev.sublet.program.Names;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.testing.text.LineScanner;
import dev.sublet.testing.text.TypeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block in the making, with what a generator must know to use only variables that have a value:
 * which names are declared where, with which type, and which surely hold a value by now.
 */
final class BlockDraft {

  private final int index;
  private final @Nullable BlockDraft parent;
  private final @Nullable BlockDraft forward;
  private final Map<String, String> types = new LinkedHashMap<>();
  private final List<VarDesc> variables = new ArrayList<>();
  private final List<OpDesc> operations = new ArrayList<>();
  private final Set<String> defined = new LinkedHashSet<>();
  private final Set<String> used = new LinkedHashSet<>();

  BlockDraft(int index, @Nullable BlockDraft parent, @Nullable BlockDraft forward) {
    this.index = index;
    this.parent = parent;
    this.forward = forward;
  }

  int index() {
    return index;
  }

  int depth() {
    return parent == null ? 0 : parent.depth() + 1;
  }

  /** The operators so far. */
  List<OpDesc> operations() {
    return operations;
  }

  /** The names that the block itself declares, in order. */
  Set<String> declared() {
    return types.keySet();
  }

  boolean declares(String name) {
    return types.containsKey(name);
  }

  /** Declares a variable; the type is program text. */
  String declare(String name, String type) {
    VarDesc.Builder variable = VarDesc.newBuilder().setName(name);
    TypeText.parse(new LineScanner(type, 0), variable);
    variables.add(variable.build());
    types.put(name, type);
    return name;
  }

  /** The type of a visible variable as it was declared, flags included; empty if there is none. */
  String typeOf(String name) {
    String type = types.get(name);
    if (type == null && forward != null && !forward.typeOf(name).isEmpty()) {
      return forward.typeOf(name);
    }
    return type != null ? type : parent == null ? "" : parent.typeOf(name);
  }

  /** Whether the name surely stands for a value here by now. */
  boolean isDefined(String name) {
    if (defined.contains(name)) {
      return true;
    }
    if (declares(name)) {
      return false;
    }
    return (forward != null && forward.isDefined(name))
        || (parent != null && parent.isDefined(name));
  }

  void define(String name) {
    defined.add(name);
  }

  /** Whether an operator of the block, or of a block in it, uses the name. */
  boolean uses(String name) {
    return used.contains(name);
  }

  /** The names that are visible and no inner declaration hides, innermost block first. */
  List<String> visible() {
    Set<String> names = new LinkedHashSet<>();
    for (BlockDraft block = this; block != null; block = block.parent) {
      names.addAll(block.types.keySet());
    }
    return new ArrayList<>(names);
  }

  /** Adds an operator; its outputs are defined from now on if the flag says so. */
  void add(OperationDraft draft, boolean definesOutputs) {
    OpDesc operation = draft.build();
    operations.add(operation);
    for (OpDesc.Var slot : operation.getInputsList()) {
      slot.getArgumentsList().forEach(this::use);
    }
    for (OpDesc.Var slot : operation.getOutputsList()) {
      for (String name : slot.getArgumentsList()) {
        use(name);
        if (definesOutputs) {
          define(name);
        }
      }
    }
  }

  /** Adds an operator that writes all its outputs. */
  void add(OperationDraft draft) {
    add(draft, /* definesOutputs= */ true);
  }

  /** Notes that an operator uses the name, so that the block no longer declares it anew. */
  void use(String name) {
    used.add(name);
    if (!declares(name) && parent != null) {
      parent.use(name);
    }
  }

  /** The names from outside that the operators read before they write them. */
  Set<String> readFirst() {
    Set<String> written = new LinkedHashSet<>();
    Set<String> read = new LinkedHashSet<>();
    for (OpDesc operation : operations) {
      for (OpDesc.Var slot : operation.getInputsList()) {
        for (String name : slot.getArgumentsList()) {
          if (!declares(name) && !written.contains(name) && !name.equals(Names.EMPTY)) {
            read.add(name);
          }
        }
      }
      for (OpDesc.Var slot : operation.getOutputsList()) {
        written.addAll(slot.getArgumentsList());
      }
    }
    return read;
  }

  /** The names from outside that the operators write. */
  Set<String> writtenOutside() {
    Set<String> written = new LinkedHashSet<>();
    for (OpDesc operation : operations) {
      for (OpDesc.Var slot : operation.getOutputsList()) {
        for (String name : slot.getArgumentsList()) {
          if (!declares(name) && !name.equals(Names.EMPTY)) {
            written.add(name);
          }
        }
      }
    }
    return written;
  }

  /** The names that the operators use and other blocks declare. */
  Set<String> usedFromOutside() {
    Set<String> names = new LinkedHashSet<>(used);
    names.removeAll(declared());
    names.remove(Names.EMPTY);
    return names;
  }

  /** Changes an operator that was added before. */
  void replace(int operation, OpDesc message) {
    operations.set(operation, message);
  }

  BlockDesc build() {
    BlockDesc.Builder message = BlockDesc.newBuilder().setIdx(index);
    message.setParentIdx(parent == null ? -1 : parent.index);
    if (forward != null) {
      message.setForwardBlockIdx(forward.index);
    }
    return message.addAllVars(variables).addAllOps(operations).build();
  }
}
