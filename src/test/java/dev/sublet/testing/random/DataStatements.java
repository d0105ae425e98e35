package dev.sublet.testing.random;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/** Adds random statements without control flow to a block. */
final class DataStatements {

  private static final ImmutableList<String> UNARY =
      ImmutableList.of("relu", "sigmoid", "scale", "tanh", "sqrt", "softmax", "dropout_like");
  private static final ImmutableList<String> BINARY =
      ImmutableList.of("elementwise_add", "elementwise_sub", "elementwise_mul", "matmul_v2");

  private final ProgramDraft draft;
  private final TypedStatements typed;

  DataStatements(ProgramDraft draft) {
    this.draft = draft;
    this.typed = new TypedStatements(draft);
  }

  /** Adds one statement. */
  void add(BlockDraft block) {
    if (draft.isTyped()) {
      typed.add(block);
      return;
    }
    if (draft.hasViews() && draft.chance(65)) {
      new ViewStatements(draft).add(block);
      return;
    }
    int choice = draft.number(100);
    if (choice < 35) {
      addUnary(block);
    } else if (choice < 55) {
      addBinary(block);
    } else if (choice < 65) {
      addSeveralOutputs(block);
    } else if (choice < 75) {
      addReshape(block);
    } else if (choice < 82) {
      addAssign(block);
    } else if (choice < 90) {
      UnknownStatement.add(draft, block);
    } else if (choice < 94) {
      String type = draft.dataType();
      block.add(new OperationDraft("fill_constant").out("Out", draft.writable(block, type)));
    } else {
      addArray(block);
    }
  }

  private void addUnary(BlockDraft block) {
    String input = draft.readable(block);
    String output = outputLike(block, input);
    block.add(new OperationDraft(draft.pick(UNARY)).in("X", input).out("Out", output));
  }

  /** Sometimes the input itself. */
  private String outputLike(BlockDraft block, String input) {
    boolean inPlace = draft.chance(15) && !block.typeOf(input).contains(" ");
    return inPlace ? input : draft.writable(block, ProgramDraft.type(block, input));
  }

  private void addBinary(BlockDraft block) {
    String left = draft.readable(block);
    String right = draft.chance(10) ? left : draft.readable(block);
    String type = draft.pick(BINARY);
    String output =
        type.equals("matmul_v2")
            ? draft.writable(block, draft.dataType())
            : outputLike(block, left);
    block.add(new OperationDraft(type).in("X", left).in("Y", right).out("Out", output));
  }

  private void addSeveralOutputs(BlockDraft block) {
    String input = draft.readable(block);
    if (draft.chance(50)) {
      String type = draft.dataType();
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < 2 + draft.number(2); i++) {
        parts.add(draft.fresh(block, "part", type));
      }
      block.add(new OperationDraft("split").in("X", input).out("Out", parts));
      return;
    }
    // The running statistics are parameters that the operator updates.
    block.add(
        new OperationDraft("batch_norm")
            .in("X", input)
            .in("Mean", "mean")
            .in("Variance", "variance")
            .out("Y", draft.writable(block, ProgramDraft.type(block, input)))
            .out("MeanOut", "mean")
            .out("VarianceOut", "variance")
            .out("SavedMean", draft.fresh(block, "saved", "fp32[8]"))
            .out("SavedVariance", draft.fresh(block, "saved", "fp32[8]")));
  }

  private void addReshape(BlockDraft block) {
    String input = draft.readable(block);
    if (draft.chance(50)) {
      block.add(
          new OperationDraft("concat")
              .in("X", input, draft.readable(block))
              .out("Out", draft.writable(block, draft.dataType())));
      return;
    }
    block.add(
        new OperationDraft("reshape2")
            .in("X", input)
            .out("Out", draft.writable(block, draft.dataType()))
            .out("XShape", draft.fresh(block, "shape", "fp32[0,8]")));
  }

  private void addAssign(BlockDraft block) {
    String input = draft.readable(block);
    String output = draft.writable(block, ProgramDraft.type(block, input));
    block.add(new OperationDraft("assign").in("X", input).out("Out", output));
  }

  private void addArray(BlockDraft block) {
    String index = draft.reserve(block, "index", "int64[1]");
    block.add(new OperationDraft("fill_constant").out("Out", index));
    List<String> arrays = new ArrayList<>();
    for (String name : block.visible()) {
      if (block.typeOf(name).startsWith("array") && block.isDefined(name)) {
        arrays.add(name);
      }
    }
    String array =
        arrays.isEmpty() || draft.chance(30)
            ? draft.reserve(block, "array", "array fp32[-1,8]")
            : draft.pick(arrays);
    block.add(
        new OperationDraft("write_to_array")
            .in("X", draft.readable(block))
            .in("I", index)
            .out("Out", array));
    block.add(
        new OperationDraft("read_from_array")
            .in("X", array)
            .in("I", index)
            .out("Out", draft.writable(block, "fp32[-1,8]")));
  }
}
