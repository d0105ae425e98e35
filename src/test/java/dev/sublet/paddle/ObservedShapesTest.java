package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.ObservedTensor;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.testing.text.ProgramText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a real run shows of shapes, types and sequences. */
final class ObservedShapesTest {

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  static List<Model> staticPrograms() {
    return ImmutableList.of(
        MadePrograms.residualNetwork(), MadePrograms.attention(), MadePrograms.nestedLoops());
  }

  @ParameterizedTest
  @MethodSource("staticPrograms")
  void allBlocks_areObserved_asTheyAreDeclared(Model model) {
    Program program = model.program();
    ImmutableMap<Definition, ObservedTensor> observed = ObservedShapes.of(model);
    assertThat(observed).isNotEmpty();
    observed.forEach(
        (definition, tensor) -> {
          Operation operation = program.block(definition.block()).operations().get(definition.op());
          int variable =
              operation.outputSlot(definition.slot()).orElseThrow().variable(definition.argument());
          TensorType declared = program.variable(variable).tensorType().orElseThrow();
          assertWithMessage("%s of %s", definition, operation)
              .that(tensor.dims())
              .isEqualTo(declared.dims());
          if (tensor.hasMemory()) {
            assertThat(tensor.type()).hasValue(declared.dataType());
          }
        });
  }

  @Test
  void nameWrittenTwice_isObservedAtBothPlaces() {
    Program program =
        ProgramText.parse(
            "version 2003002",
            "default fp32[2,4]",
            "block 0",
            "feed x: fp32[2,4]",
            "var w: fp32[4,4] persistable",
            "var wide: fp32[2,8]",
            "var i: int64[2,8]",
            "a = matmul_v2(x, w) {trans_x: false}",
            "b = relu(a)",
            "a = concat(b x) {axis: 1}",
            "i = cast(a) {in_dtype: 5, out_dtype: 3}",
            "fetch(i)");
    ImmutableMap<Definition, ObservedTensor> observed =
        ObservedShapes.of(program, Feeds.none().withImage("x", 2, 4));
    assertThat(observed)
        .containsExactly(
            new Definition(0, 0, "Out", 0), tensor(DataType.FP32, 2, 4),
            new Definition(0, 1, "Out", 0), tensor(DataType.FP32, 2, 4),
            new Definition(0, 2, "Out", 0), tensor(DataType.FP32, 2, 4),
            new Definition(0, 3, "Out", 0), tensor(DataType.FP32, 2, 8),
            new Definition(0, 4, "Out", 0), tensor(DataType.INT64, 2, 8));
  }

  @Test
  void everyElementType_isObserved() {
    Program program =
        ProgramText.parse(
            "default fp32[2,4]",
            "block 0",
            "feed x: fp32[2,4]",
            "var b: bool[2,4]",
            "var d: fp64[2,4]",
            "var h: fp16[2,4]",
            "var u: uint8[2,4]",
            "b = greater_than(x, x) {axis: -1}",
            "d = cast(x) {in_dtype: 5, out_dtype: 6}",
            "h = cast(x) {in_dtype: 5, out_dtype: 4}",
            "u = cast(x) {in_dtype: 5, out_dtype: 20}",
            "fetch(b)",
            "fetch(d)");
    assertThat(ObservedShapes.of(program, Feeds.none().withImage("x", 2, 4)).values())
        .containsExactly(
            tensor(DataType.FP32, 2, 4),
            tensor(DataType.BOOL, 2, 4),
            tensor(DataType.FP64, 2, 4),
            tensor(DataType.FP16, 2, 4),
            tensor(DataType.UINT8, 2, 4));
  }

  @Test
  void loop_isObservedOnceAnIteration() {
    Model model = MadePrograms.nestedLoops();
    ImmutableListMultimap<Definition, ObservedTensor> all = ObservedShapes.everyExecution(model);
    assertThat(all.get(definition(model, 0, "relu", "Out"))).hasSize(1);
    assertThat(all.get(definition(model, 1, "matmul_v2", "Out"))).hasSize(3);
    assertThat(all.get(definition(model, 2, "sigmoid", "Out"))).hasSize(6);
  }

  @Test
  void branchNotTaken_isNotObserved() {
    Model model = MadePrograms.exclusiveBranches("first_branch", 8);
    ImmutableMap<Definition, ObservedTensor> observed = ObservedShapes.of(model);
    assertThat(observed).containsKey(definition(model, 1, "sqrt", "Out"));
    assertThat(observed).doesNotContainKey(definition(model, 2, "exp", "Out"));
  }

  @Test
  void sequences_areObserved_whereTheRuntimeHasThem() {
    Model model = MadePrograms.lstm();
    ImmutableMap<Definition, ObservedTensor> observed = ObservedShapes.of(model);
    ObservedTensor hidden =
        new ObservedTensor(
            Optional.of(DataType.FP32),
            ImmutableLongArray.of(9, 16),
            ImmutableList.of(ImmutableLongArray.of(0, 3, 4, 9)));
    assertThat(observed).containsEntry(definition(model, 0, "lstm", "Hidden"), hidden);
    assertThat(observed)
        .containsEntry(definition(model, 0, "sequence_pool", "Out"), tensor(DataType.FP32, 3, 16));
  }

  @Test
  void outputWithoutMemory_hasAShapeAndNoType() {
    Model model = MadePrograms.attention();
    ObservedTensor shape = ObservedShapes.of(model).get(definition(model, 0, "reshape2", "XShape"));
    assertThat(shape)
        .isEqualTo(
            new ObservedTensor(
                Optional.empty(), ImmutableLongArray.of(0, 1, 12, 32), ImmutableList.of()));
  }

  private static ObservedTensor tensor(DataType type, long... dims) {
    return new ObservedTensor(
        Optional.of(type), ImmutableLongArray.copyOf(dims), ImmutableList.of());
  }

  /** The first argument of a slot of the block's first operator of that type. */
  private static Definition definition(Model model, int block, String type, String slot) {
    for (Operation operation : model.program().block(block).operations()) {
      if (operation.type().equals(type)) {
        return new Definition(block, operation.index(), slot, 0);
      }
    }
    throw new AssertionError("block " + block + " has no " + type);
  }
}
