package dev.sublet.testing.random;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds random statements without control flow whose types fit: every output is declared as its
 * operator makes it, with its element type.
 */
final class TypedStatements {

  /** The types that new variables have; that of feeds with a batch is only passed on. */
  static final ImmutableList<String> TYPES =
      ImmutableList.of(
          "fp32[16]",
          "fp32[16]",
          "fp32[4,4]",
          "fp32[4,4]",
          "fp32[1,16]",
          "fp32[2,8]",
          "fp32[8]",
          "fp32[8]",
          "fp32[32]",
          "fp32[4]",
          "fp32[1]",
          "int32[8]",
          "fp16[16]");

  /** That of feeds with a batch. */
  static final String BATCH = "fp32[-1,8]";

  private static final String ONE = "fp32[1]";
  private static final ImmutableList<String> UNARY =
      ImmutableList.of("relu", "sigmoid", "scale", "tanh", "square", "softmax", "dropout_like");
  private static final ImmutableList<String> BINARY =
      ImmutableList.of("elementwise_add", "elementwise_sub", "elementwise_mul");
  private static final ImmutableList<String> WITH_CHANNELS = ImmutableList.of(BATCH, "fp32[2,8]");

  private final ProgramDraft draft;
  private final ViewStatements views;

  TypedStatements(ProgramDraft draft) {
    this.draft = draft;
    this.views = new ViewStatements(draft);
  }

  /** Adds one statement. */
  void add(BlockDraft block) {
    int choice = draft.number(100);
    if (choice < 28) {
      addUnary(block);
    } else if (choice < 45) {
      addBinary(block);
    } else if (choice < 53) {
      addProduct(block);
    } else if (choice < 73) {
      views.add(block);
    } else if (choice < 80) {
      String type = draft.dataType();
      derive(block, draft.readable(block), draft.writable(block, type));
    } else if (choice < 86) {
      UnknownStatement.add(draft, block);
    } else if (choice < 90) {
      String type = draft.dataType();
      block.add(
          new OperationDraft("fill_constant")
              .out("Out", draft.writable(block, type))
              .numbers("shape", extents(type).toArray(new Integer[0])));
    } else if (choice < 95) {
      addNormalization(block);
    } else {
      addArray(block);
    }
  }

  private void addUnary(BlockDraft block) {
    String input = draft.readable(block);
    boolean inPlace = draft.chance(15) && !block.typeOf(input).contains(" ");
    String output = inPlace ? input : draft.writable(block, ProgramDraft.type(block, input));
    block.add(new OperationDraft(draft.pick(UNARY)).in("X", input).out("Out", output));
  }

  private void addBinary(BlockDraft block) {
    String left = draft.readable(block);
    String type = ProgramDraft.type(block, left);
    List<String> alike = draft.readables(block, List.of(type));
    String right = draft.pick(alike);
    block.use(right);
    boolean inPlace = draft.chance(15) && !block.typeOf(left).contains(" ");
    block.add(
        new OperationDraft(draft.pick(BINARY))
            .in("X", left)
            .in("Y", right)
            .out("Out", inPlace ? left : draft.writable(block, type))
            .number("axis", -1));
  }

  private void addProduct(BlockDraft block) {
    List<String> matrices = draft.readables(block, List.of("fp32[4,4]"));
    if (matrices.isEmpty()) {
      addUnary(block);
      return;
    }
    String left = draft.pick(matrices);
    String right = draft.pick(matrices);
    block.use(left);
    block.use(right);
    block.add(
        new OperationDraft("matmul_v2")
            .in("X", left)
            .in("Y", right)
            .out("Out", draft.writable(block, "fp32[4,4]")));
  }

  /** The running statistics are parameters that the operator updates. */
  private void addNormalization(BlockDraft block) {
    List<String> inputs = draft.readables(block, WITH_CHANNELS);
    if (inputs.isEmpty()) {
      addUnary(block);
      return;
    }
    String input = draft.pick(inputs);
    block.use(input);
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

  private void addArray(BlockDraft block) {
    String element = draft.readable(block);
    String type = ProgramDraft.type(block, element);
    String arrayType = "array " + type;
    String index = draft.reserve(block, "index", "int64[1]");
    block.add(new OperationDraft("fill_constant").out("Out", index).numbers("shape", 1));
    List<String> arrays = new ArrayList<>();
    for (String name : block.visible()) {
      if (block.typeOf(name).equals(arrayType) && block.isDefined(name)) {
        arrays.add(name);
      }
    }
    String array =
        arrays.isEmpty() || draft.chance(30)
            ? draft.reserve(block, "array", arrayType)
            : draft.pick(arrays);
    block.add(
        new OperationDraft("write_to_array").in("X", element).in("I", index).out("Out", array));
    block.add(
        new OperationDraft("read_from_array")
            .in("X", array)
            .in("I", index)
            .out("Out", draft.writable(block, type)));
  }

  /** A condition of two numbers that follow from data. */
  void addCondition(BlockDraft block, String condition, boolean onHost) {
    String left = draft.fresh(block, "c", ONE);
    String right = draft.fresh(block, "c", ONE);
    derive(block, draft.readable(block), left);
    derive(block, draft.readable(block), right);
    OperationDraft compare =
        new OperationDraft("less_than").in("X", left).in("Y", right).out("Out", condition);
    block.add(onHost ? compare.flag("force_cpu") : compare);
  }

  /** Writes a variable of any type, with a value that follows from another variable of any type. */
  void derive(BlockDraft block, String source, String output) {
    String from = ProgramDraft.type(block, source);
    String to = ProgramDraft.type(block, output);
    if (from.equals(to)) {
      String unary = draft.chance(40) ? "assign" : draft.pick(UNARY);
      block.add(new OperationDraft(unary).in("X", source).out("Out", output));
    } else if (!isFloat(from)) {
      String cast = draft.fresh(block, "c", "fp32" + from.substring(from.indexOf('[')));
      addCast(block, source, cast);
      derive(block, cast, output);
    } else if (!isFloat(to)) {
      String cast = draft.fresh(block, "c", "fp32" + to.substring(to.indexOf('[')));
      derive(block, source, cast);
      addCast(block, cast, output);
    } else if (isClosed(from) && isClosed(to) && count(from) == count(to)) {
      block.add(
          new OperationDraft("reshape2")
              .in("X", source)
              .out("Out", output)
              .numbers("shape", extents(to).toArray(new Integer[0])));
    } else if (to.equals(ONE)) {
      block.add(
          new OperationDraft("reduce_sum")
              .in("X", source)
              .out("Out", output)
              .numbers("dim", 0)
              .flag("reduce_all"));
    } else if (!from.equals(ONE)) {
      String one = draft.fresh(block, "c", ONE);
      derive(block, source, one);
      derive(block, one, output);
    } else {
      addWider(block, source, output, to);
    }
  }

  private void addWider(BlockDraft block, String one, String output, String type) {
    List<String> alike = draft.readables(block, List.of(type));
    if (isClosed(type)) {
      block.add(
          new OperationDraft("expand_v2")
              .in("X", one)
              .out("Out", output)
              .numbers("shape", extents(type).toArray(new Integer[0])));
    } else if (alike.isEmpty()) {
      block.add(new OperationDraft("mystery_a").in("A", one).out("B", output));
    } else {
      String like = draft.pick(alike);
      block.use(like);
      block.add(
          new OperationDraft("elementwise_add")
              .in("X", like)
              .in("Y", one)
              .out("Out", output)
              .number("axis", -1));
    }
  }

  private static void addCast(BlockDraft block, String source, String output) {
    block.add(
        new OperationDraft("cast")
            .in("X", source)
            .out("Out", output)
            .number("in_dtype", number(ProgramDraft.type(block, source)))
            .number("out_dtype", number(ProgramDraft.type(block, output))));
  }

  /** What Paddle calls an element type. */
  private static int number(String type) {
    return type.startsWith("int32") ? 2 : type.startsWith("fp16") ? 4 : 5;
  }

  private static boolean isFloat(String type) {
    return type.startsWith("fp32");
  }

  private static boolean isClosed(String type) {
    return !type.contains("-1");
  }

  private static List<Integer> extents(String type) {
    String extents = type.substring(type.indexOf('[') + 1, type.indexOf(']'));
    return Splitter.on(',').splitToStream(extents).map(Integer::valueOf).toList();
  }

  private static int count(String type) {
    return extents(type).stream().reduce(1, (a, b) -> a * b);
  }
}
