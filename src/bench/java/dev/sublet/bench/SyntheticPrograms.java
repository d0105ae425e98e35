package dev.sublet.bench;

import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import dev.sublet.proto.Version;
import org.jspecify.annotations.Nullable;

/** Large programs of three forms. The same form and size always give the same program. */
final class SyntheticPrograms {

  /** What a program looks like. */
  enum Form {
    /** A chain in which every operator also reads what came three operators earlier. */
    CHAIN,
    /** A forward pass whose every result is read again by a backward pass in reverse. */
    TRAINING,
    /** Many loops, each with a loop inside, that update outer variables. */
    LOOPS
  }

  private static final int LOOP_BODY = 20;

  private final ProgramDesc.Builder program =
      ProgramDesc.newBuilder().setVersion(Version.newBuilder().setVersion(2_004_000));

  private SyntheticPrograms() {}

  static byte[] generate(Form form, int operators) {
    SyntheticPrograms programs = new SyntheticPrograms();
    switch (form) {
      case CHAIN -> programs.chain(operators);
      case TRAINING -> programs.training(operators);
      case LOOPS -> programs.loops(operators);
    }
    return programs.program.build().toByteArray();
  }

  private void chain(int operators) {
    BlockDesc.Builder block = newBlock(0, -1);
    feed(block, "v0");
    for (int i = 1; i < operators - 1; i++) {
      block.addVars(tensor("v" + i, size(i)));
      block.addOps(operation("elementwise_add", "v" + (i - 1), "v" + Math.max(0, i - 3), "v" + i));
    }
    fetch(block, "v" + (operators - 2));
    program.addBlocks(block);
  }

  private void training(int operators) {
    BlockDesc.Builder block = newBlock(0, -1);
    feed(block, "a0");
    int layers = (operators - 2) / 2;
    for (int i = 1; i <= layers; i++) {
      block.addVars(tensor("a" + i, size(i)));
      block.addOps(operation("matmul_v2", "a" + (i - 1), "a" + (i - 1), "a" + i));
    }
    String gradient = "a" + layers;
    for (int i = layers - 1; i >= 0; i--) {
      block.addVars(tensor("g" + i, size(i)));
      block.addOps(operation("matmul_v2", gradient, "a" + i, "g" + i));
      gradient = "g" + i;
    }
    fetch(block, gradient);
    program.addBlocks(block);
  }

  private void loops(int operators) {
    BlockDesc.Builder main = newBlock(0, -1);
    feed(main, "x");
    int perLoop = 2 * LOOP_BODY + 6;
    int count = Math.max(1, (operators - 2) / perLoop);
    main.addVars(tensor("s0", 64));
    main.addOps(OpDesc.newBuilder().setType("fill_constant").addOutputs(slot("Out", "s0")));
    StringBuilder previous = new StringBuilder("s0");
    for (int i = 1; i <= count; i++) {
      String state = "s" + i;
      main.addVars(tensor(state, size(i)));
      main.addVars(typed("c" + i, VarType.Type.BOOL, 1));
      main.addVars(typed("d" + i, VarType.Type.BOOL, 1));
      main.addVars(
          VarDesc.newBuilder()
              .setName("z" + i)
              .setType(VarType.newBuilder().setType(VarType.Type.STEP_SCOPES)));
      main.addOps(operation("assign", previous.toString(), null, state));
      main.addOps(operation("less_than", "x", state, "c" + i));
      main.addOps(operation("less_than", "x", state, "d" + i));
      int outer = 2 * i - 1;
      main.addOps(loop("c" + i, state, "z" + i, outer));
      previous.setLength(0);
      previous.append(state);
      program.addBlocks(
          body(outer, 0, state, "c" + i).addOps(loop("d" + i, state, "z" + i, outer + 1)));
      program.addBlocks(body(outer + 1, outer, state, "d" + i));
    }
    fetch(main, previous.toString());
    program.addBlocks(0, main);
  }

  private static BlockDesc.Builder body(int index, int parent, String state, String condition) {
    BlockDesc.Builder block = newBlock(index, parent);
    String last = state;
    for (int i = 0; i < LOOP_BODY - 1; i++) {
      String name = "b" + index + "_" + i;
      block.addVars(tensor(name, size(index + i)));
      block.addOps(operation("matmul_v2", last, state, name));
      last = name;
    }
    block.addOps(operation("matmul_v2", last, last, state));
    block.addOps(operation("less_than", "x", state, condition));
    return block;
  }

  private static OpDesc loop(String condition, String state, String scopes, int block) {
    return OpDesc.newBuilder()
        .setType("while")
        .addInputs(slot("Condition", condition))
        .addInputs(slot("X", "x", state))
        .addOutputs(slot("Out", state, condition))
        .addOutputs(slot("StepScopes", scopes))
        .addAttrs(
            OpDesc.Attr.newBuilder()
                .setName("sub_block")
                .setType(AttrType.BLOCK)
                .setBlockIdx(block))
        .addAttrs(OpDesc.Attr.newBuilder().setName("is_test").setType(AttrType.BOOLEAN).setB(true))
        .build();
  }

  private static BlockDesc.Builder newBlock(int index, int parent) {
    return BlockDesc.newBuilder().setIdx(index).setParentIdx(parent);
  }

  private static void feed(BlockDesc.Builder block, String name) {
    block.addVars(holder("feed", VarType.Type.FEED_MINIBATCH));
    block.addVars(tensor(name, 64));
    block.addOps(
        OpDesc.newBuilder()
            .setType("feed")
            .addInputs(slot("X", "feed"))
            .addOutputs(slot("Out", name)));
  }

  private static void fetch(BlockDesc.Builder block, String name) {
    block.addVars(holder("fetch", VarType.Type.FETCH_LIST));
    block.addOps(
        OpDesc.newBuilder()
            .setType("fetch")
            .addInputs(slot("X", name))
            .addOutputs(slot("Out", "fetch")));
  }

  private static VarDesc holder(String name, VarType.Type type) {
    return VarDesc.newBuilder()
        .setName(name)
        .setPersistable(true)
        .setType(VarType.newBuilder().setType(type))
        .build();
  }

  private static VarDesc tensor(String name, long elements) {
    return typed(name, VarType.Type.FP32, elements);
  }

  private static VarDesc typed(String name, VarType.Type type, long elements) {
    return VarDesc.newBuilder()
        .setName(name)
        .setType(
            VarType.newBuilder()
                .setType(VarType.Type.LOD_TENSOR)
                .setLodTensor(
                    VarType.LoDTensorDesc.newBuilder()
                        .setTensor(
                            VarType.TensorDesc.newBuilder().setDataType(type).addDims(elements))))
        .build();
  }

  private static OpDesc operation(String type, String x, @Nullable String y, String out) {
    OpDesc.Builder operation = OpDesc.newBuilder().setType(type).addInputs(slot("X", x));
    if (y != null) {
      operation.addInputs(slot("Y", y));
    }
    return operation.addOutputs(slot("Out", out)).build();
  }

  private static OpDesc.Var slot(String name, String... arguments) {
    OpDesc.Var.Builder slot = OpDesc.Var.newBuilder().setParameter(name);
    for (String argument : arguments) {
      slot.addArguments(argument);
    }
    return slot.build();
  }

  /** Sizes that vary, but not with a short period. */
  private static long size(int i) {
    return 64L * (1 + Integer.remainderUnsigned(i * 0x9E3779B9, 61));
  }
}
