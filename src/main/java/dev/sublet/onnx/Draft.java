package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.Names;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.TensorDraft;
import dev.sublet.program.VariableId;
import dev.sublet.proto.onnx.NodeProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The program under construction: blocks, operators, variables whose names are unique in the whole
 * program, and for each block the outer variables that it reads and writes.
 */
final class Draft {

  /**
   * The greatest number of operators: models with more are rejected, because functions can multiply
   * a small file.
   */
  static final int MAX_OPERATORS = 1_000_000;

  private record Note(String path, String value, String variable) {}

  private final ProgramBuilder builder = ProgramBuilder.empty();
  private final Set<String> names = new HashSet<>();
  private final Set<String> reserved = new HashSet<>();

  /** For each name that was requested more than once: the least suffix that may still be free. */
  private final Map<String, Integer> suffixes = new HashMap<>();

  private final Map<String, Integer> blockOf = new HashMap<>();
  private final List<Set<String>> reads = new ArrayList<>();
  private final List<Set<String>> writes = new ArrayList<>();
  private final Map<String, TensorDraft> tensors = new HashMap<>();

  /** The variables that have the same elements in every run. */
  private final Set<String> constants = new HashSet<>();

  private final List<Note> notes = new ArrayList<>();
  private final ImmutableList.Builder<OnnxConstant> data = ImmutableList.builder();
  private final long opset;
  private final ConstantsMode mode;
  private int operators;

  /** The node that is translated now: the innermost one that has a name or a stack. */
  private @Nullable NodeProto node;

  /**
   * Creates a draft without blocks.
   *
   * @param opset the version of ONNX's own operators that the model is written for
   * @param mode whether computed constants are constants of the program
   */
  Draft(long opset, ConstantsMode mode) {
    this.opset = opset;
    this.mode = mode;
  }

  /** Whether nodes that compute constants come before the program. */
  boolean foldsConstants() {
    return mode == ConstantsMode.FOLDED;
  }

  /** The version of ONNX's own operators that the model is written for. */
  long opset() {
    return opset;
  }

  /** Reserves a name for the value of that name in the main graph. */
  void reserve(String name) {
    if (!name.isEmpty() && !name.equals(Names.EMPTY)) {
      names.add(name);
      reserved.add(name);
    }
  }

  /** Whether a name is reserved for a value of the main graph. */
  boolean isReserved(String name) {
    return reserved.contains(name);
  }

  /**
   * Returns a name that no variable has: the wanted name, if need be with a suffix {@code #n}.
   * O(1), amortized.
   */
  String invent(String wanted) {
    String base = wanted.isEmpty() || wanted.equals(Names.EMPTY) ? "unnamed" : wanted;
    if (names.add(base)) {
      return base;
    }
    int suffix = suffixes.getOrDefault(base, 2);
    while (!names.add(base + "#" + suffix)) {
      suffix++;
    }
    suffixes.put(base, suffix + 1);
    return base + "#" + suffix;
  }

  int addBlock(int parent) {
    reads.add(new LinkedHashSet<>());
    writes.add(new LinkedHashSet<>());
    return builder.addBlock(parent);
  }

  /** Declares a tensor; its name must be unique, see {@link #invent}. */
  void declare(int block, String name, TensorDraft tensor) {
    builder.declare(block, name, tensor);
    blockOf.put(name, block);
    tensors.put(name, tensor);
  }

  /** The declaration of a variable; null if it is not declared yet, or is not a tensor. */
  @Nullable TensorDraft declared(String name) {
    return tensors.get(name);
  }

  /** Declares a tensor that outlives a run and has the same elements in every run. */
  void declareConstant(String name, TensorDraft tensor) {
    // Persistables are declared by the outermost block, in whichever graph they are.
    declare(0, name, tensor.persistent());
    constants.add(name);
  }

  /** Whether a variable is a {@linkplain #declareConstant constant}. */
  boolean isConstant(String variable) {
    return constants.contains(variable);
  }

  /** Whether a variable is known to be the constant true. */
  boolean isTrue(String variable) {
    TensorDraft tensor = tensors.get(variable);
    return tensor != null
        && tensor
            .elements()
            .map(values -> values.length() == 1 && values.get(0) != 0)
            .orElse(false);
  }

  /**
   * Declares a variable that is not a dense tensor: a sequence, a map, an optional or a sparse
   * tensor.
   */
  void declareOpaque(int block, String name) {
    builder.declareOpaque(block, name);
    blockOf.put(name, block);
  }

  void declareHolder(String name, boolean ofFeeds) {
    builder.declareHolder(0, name, ofFeeds);
    blockOf.put(name, 0);
  }

  /** Declares a scalar that only control flow uses; returns its name. */
  String scalar(int block, String wanted, DataType type) {
    String name = invent(wanted);
    builder.declareScalar(block, name, type);
    blockOf.put(name, block);
    return name;
  }

  /** Declares the variable for the step scopes of a control operator; returns its name. */
  String scopes(int block) {
    String name = invent("scopes");
    builder.declareScopes(block, name);
    blockOf.put(name, block);
    return name;
  }

  /** Records the variable of a value of the model. */
  void note(String path, String value, String variable) {
    notes.add(new Note(path, value, variable));
  }

  /** Records the elements of a variable. */
  void note(OnnxConstant constant) {
    data.add(constant);
  }

  /** The elements of variables that the model gives, in the order of the file. */
  ImmutableList<OnnxConstant> data() {
    return data.build();
  }

  /**
   * Begins a node, whose name and stack the following operators get. A node without both leaves
   * them those of the node around it.
   *
   * @return the node around it, which {@link #end} needs
   */
  @Nullable NodeProto begin(NodeProto begun) {
    NodeProto outer = node;
    node = NodeSource.of(begun).isEmpty() ? outer : begun;
    return outer;
  }

  /** Ends a node. */
  void end(@Nullable NodeProto outer) {
    node = outer;
  }

  /** Adds an operator at the end of a block. */
  void add(int block, DraftOperator operator, String where) {
    count(where);
    if (node != null) {
      NodeSource.of(node).addTo(operator.operation());
    }
    builder.add(block, operator.operation());
    reads.get(block).addAll(operator.reads());
    writes.get(block).addAll(operator.writes());
  }

  /**
   * Counts an operator or the call of a function. Calls count too because a function may be empty.
   */
  void count(String where) {
    checkOperators(++operators, where);
  }

  /**
   * Checks that the number of operators and calls is within the limit.
   *
   * @throws ProgramException if it is not
   */
  static void checkOperators(long count, String where) {
    if (count > MAX_OPERATORS) {
      throw OnnxNodes.unsupported(
          where,
          "makes it more than the " + MAX_OPERATORS + " operators and calls that a model may have");
    }
  }

  /** The variables that a block reads but does not declare, in the order of first use. */
  ImmutableSet<String> outerReads(int block) {
    return outer(block, reads.get(block));
  }

  /** The variables that a block writes but does not declare, in the order of first use. */
  ImmutableSet<String> outerWrites(int block) {
    return outer(block, writes.get(block));
  }

  private ImmutableSet<String> outer(int block, Set<String> used) {
    ImmutableSet.Builder<String> outer = ImmutableSet.builder();
    for (String name : used) {
      Integer declaring = blockOf.get(name);
      // The outer block declares such a variable later, when the type is known.
      if (declaring == null || declaring != block) {
        outer.add(name);
      }
    }
    return outer.build();
  }

  /** The variable of each value, in the order of the nodes. */
  ImmutableList<OnnxValue> values() {
    ImmutableList.Builder<OnnxValue> values = ImmutableList.builder();
    for (Note note : notes) {
      Integer block = blockOf.get(note.variable());
      if (block == null) {
        throw new IllegalStateException(note + " is not declared");
      }
      values.add(new OnnxValue(note.path(), note.value(), new VariableId(block, note.variable())));
    }
    return values.build();
  }

  Program build() {
    return builder.build();
  }

  /** An operator with the names of its arguments, which its block's reads and writes need. */
  static final class DraftOperator {

    private final OperationBuilder operation;
    private final ImmutableList.Builder<String> reads = ImmutableList.builder();
    private final ImmutableList.Builder<String> writes = ImmutableList.builder();

    DraftOperator(String type) {
      operation = OperationBuilder.of(type);
    }

    /** Adds an input slot. An empty name means that the argument is omitted. */
    DraftOperator in(String slot, Iterable<String> arguments) {
      operation.input(slot, present(arguments));
      addPresent(arguments, reads);
      return this;
    }

    DraftOperator in(String slot, String argument) {
      return in(slot, ImmutableList.of(argument));
    }

    DraftOperator blockAttribute(int block) {
      operation.blockAttribute("sub_block", block);
      return this;
    }

    DraftOperator flag(String name) {
      operation.attribute(name, true);
      return this;
    }

    DraftOperator number(String name, long value) {
      operation.attribute(name, value);
      return this;
    }

    /** Adds an output slot. An empty name means that the argument is omitted. */
    DraftOperator out(String slot, Iterable<String> arguments) {
      operation.output(slot, present(arguments));
      addPresent(arguments, writes);
      return this;
    }

    DraftOperator out(String slot, String argument) {
      return out(slot, ImmutableList.of(argument));
    }

    OperationBuilder operation() {
      return operation;
    }

    ImmutableList<String> reads() {
      return reads.build();
    }

    ImmutableList<String> writes() {
      return writes.build();
    }

    private static ImmutableList<String> present(Iterable<String> arguments) {
      ImmutableList.Builder<String> named = ImmutableList.builder();
      for (String argument : arguments) {
        named.add(argument.isEmpty() ? Names.EMPTY : argument);
      }
      return named.build();
    }

    private static void addPresent(
        Iterable<String> arguments, ImmutableList.Builder<String> present) {
      for (String argument : arguments) {
        if (!argument.isEmpty()) {
          present.add(argument);
        }
      }
    }
  }
}
