package dev.sublet.bench;

import com.google.common.primitives.Longs;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import dev.sublet.proto.Version;
import java.util.HashSet;
import java.util.Set;

/** Large programs of three forms. The same form and size always give the same program. */
final class SyntheticPrograms {

  /** What a program looks like. */
  enum Form {
    /** A chain in which every operator also reads what came three operators earlier. */
    CHAIN,
    /** A forward pass whose every result is read again by a backward pass. */
    TRAINING,
    /** Many loops, each with a loop inside, that update outer variables. */
    LOOPS
  }

  /** Operators in the body of a loop, without a loop in it. */
  private static final int LOOP_BODY = 20;

  /** The first extent of everything that is computed. */
  private static final long ROWS = 8;

  private final Set<String> declaredWeights = new HashSet<>();

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
      int before = i - 1;
      int earlier = Math.max(0, i - 3);
      block.addVars(tensor("v" + i, ROWS, size(i)));
      String weights = weights(block, size(i), size(before), size(earlier));
      block.addOps(
          operation("bilinear_tensor_product", "v" + i)
              .addInputs(slot("X", "v" + before))
              .addInputs(slot("Y", "v" + earlier))
              .addInputs(slot("Weight", weights)));
    }
    fetch(block, "v" + (operators - 2));
    program.addBlocks(block);
  }

  private void training(int operators) {
    BlockDesc.Builder block = newBlock(0, -1);
    feed(block, "v0");
    int layers = (operators - 2) / 2;
    for (int i = 1; i <= layers; i++) {
      block.addVars(tensor("v" + i, ROWS, size(i)));
      block.addOps(
          operation("matmul_v2", "v" + i)
              .addInputs(slot("X", "v" + (i - 1)))
              .addInputs(slot("Y", weights(block, size(i - 1), size(i)))));
    }
    String gradient = "v" + layers;
    for (int i = layers; i >= 1; i--) {
      block.addVars(tensor("g" + i, ROWS, size(i - 1)));
      block.addOps(
          operation("matmul_v2_grad")
              .addInputs(slot("X", "v" + (i - 1)))
              .addInputs(slot("Y", weights(block, size(i - 1), size(i))))
              .addInputs(slot("Out@GRAD", gradient))
              .addOutputs(slot("X@GRAD", "g" + i)));
      gradient = "g" + i;
    }
    fetch(block, gradient);
    program.addBlocks(block);
  }

  private void loops(int operators) {
    BlockDesc.Builder main = newBlock(0, -1);
    feed(main, "v0");
    main.addVars(persistable("limit", 1));
    int perLoop = 2 * LOOP_BODY + 5;
    int count = Math.max(1, (operators - 2) / perLoop);
    String state = "v0";
    for (int i = 1; i <= count; i++) {
      String next = "s" + i;
      main.addVars(tensor(next, ROWS, size(0)));
      main.addVars(tensor("n" + i, 1));
      main.addVars(typed("c" + i, VarType.Type.BOOL, 1));
      main.addVars(typed("d" + i, VarType.Type.BOOL, 1));
      main.addVars(
          VarDesc.newBuilder()
              .setName("z" + i)
              .setType(VarType.newBuilder().setType(VarType.Type.STEP_SCOPES)));
      main.addOps(operation("assign", next).addInputs(slot("X", state)));
      main.addOps(operation("assign", "n" + i).addInputs(slot("X", "limit")));
      main.addOps(lessThan(i, "c"));
      main.addOps(lessThan(i, "d"));
      int outer = 2 * i - 1;
      main.addOps(loop(i, "c", next, outer));
      program.addBlocks(body(main, outer, 0, i, "c").addOps(loop(i, "d", next, outer + 1)));
      program.addBlocks(body(main, outer + 1, outer, i, "d"));
      state = next;
    }
    fetch(main, state);
    program.addBlocks(0, main);
  }

  /** A body that computes the state of loop {@code i} anew from itself, and counts. */
  private BlockDesc.Builder body(
      BlockDesc.Builder main, int index, int parent, int i, String condition) {
    BlockDesc.Builder block = newBlock(index, parent);
    String last = "s" + i;
    long width = size(0);
    for (int k = 0; k < LOOP_BODY - 2; k++) {
      boolean isLast = k == LOOP_BODY - 3;
      String name = isLast ? "s" + i : "b" + index + "_" + k;
      long next = isLast ? size(0) : size(index + k);
      if (!isLast) {
        block.addVars(tensor(name, ROWS, next));
      }
      block.addOps(
          operation("bilinear_tensor_product", name)
              .addInputs(slot("X", last))
              .addInputs(slot("Y", "s" + i))
              .addInputs(slot("Weight", weights(main, next, width, size(0)))));
      last = name;
      width = next;
    }
    block.addOps(operation("increment", "n" + i).addInputs(slot("X", "n" + i)));
    return block.addOps(lessThan(i, condition));
  }

  /** A parameter of the given shape, declared once in the program. */
  private String weights(BlockDesc.Builder main, long... dims) {
    StringBuilder name = new StringBuilder("w");
    for (long extent : dims) {
      name.append('_').append(extent);
    }
    if (declaredWeights.add(name.toString())) {
      main.addVars(persistable(name.toString(), dims));
    }
    return name.toString();
  }

  private static OpDesc lessThan(int i, String condition) {
    return operation("less_than", condition + i)
        .addInputs(slot("X", "n" + i))
        .addInputs(slot("Y", "limit"))
        .build();
  }

  private static OpDesc loop(int i, String condition, String state, int block) {
    return OpDesc.newBuilder()
        .setType("while")
        .addInputs(slot("Condition", condition + i))
        .addInputs(slot("X", state, "n" + i))
        .addOutputs(slot("Out", state, "n" + i, condition + i))
        .addOutputs(slot("StepScopes", "z" + i))
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
    block.addVars(tensor(name, ROWS, size(0)));
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

  private static VarDesc tensor(String name, long... dims) {
    return typed(name, VarType.Type.FP32, dims);
  }

  private static VarDesc persistable(String name, long... dims) {
    return tensor(name, dims).toBuilder().setPersistable(true).build();
  }

  private static VarDesc typed(String name, VarType.Type type, long... dims) {
    return VarDesc.newBuilder()
        .setName(name)
        .setType(
            VarType.newBuilder()
                .setType(VarType.Type.LOD_TENSOR)
                .setLodTensor(
                    VarType.LoDTensorDesc.newBuilder()
                        .setTensor(
                            VarType.TensorDesc.newBuilder()
                                .setDataType(type)
                                .addAllDims(Longs.asList(dims)))))
        .build();
  }

  private static OpDesc.Builder operation(String type) {
    return OpDesc.newBuilder().setType(type);
  }

  private static OpDesc.Builder operation(String type, String out) {
    return operation(type).addOutputs(slot("Out", out));
  }

  private static OpDesc.Var slot(String name, String... arguments) {
    OpDesc.Var.Builder slot = OpDesc.Var.newBuilder().setParameter(name);
    for (String argument : arguments) {
      slot.addArguments(argument);
    }
    return slot.build();
  }

  /** Widths that vary, but not with a short period. */
  private static long size(int i) {
    return 8L * (1 + Integer.remainderUnsigned(i * 0x9E3779B9, 61));
  }
}
