package dev.sublet.testing.mutate;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * Damages programs the way that files are damaged: attributes of other values, lengths and types,
 * slots with other arguments or none, declarations of other ranks and extents. The same seed
 * damages the same program in the same way.
 */
public final class ProgramMutations {

  private static final ImmutableLongArray NUMBERS =
      ImmutableLongArray.of(
          0,
          1,
          -1,
          2,
          -2,
          3,
          5,
          -8,
          64,
          65,
          100,
          -100,
          1025,
          Integer.MAX_VALUE,
          Integer.MIN_VALUE,
          1L << 31,
          (1L << 32) + 1,
          1L << 40,
          1L << 53,
          Long.MAX_VALUE,
          Long.MIN_VALUE);

  private static final ImmutableDoubleArray REALS =
      ImmutableDoubleArray.of(
          0, 1, -1, 0.5, -0.0, 2, 3, 100, 1e30, -1e30, 1e-30, Double.NaN, Double.POSITIVE_INFINITY);

  private static final ImmutableList<String> TEXTS =
      ImmutableList.of(
          "",
          "NCHW",
          "NHWC",
          "SAME",
          "VALID",
          "x",
          "1.5",
          "nan",
          "1e400",
          "-3",
          "bilinear",
          "SUM",
          "ij,jk->ik");

  private static final ImmutableList<AttrType> TYPES =
      ImmutableList.of(
          AttrType.INT,
          AttrType.LONG,
          AttrType.FLOAT,
          AttrType.FLOAT64,
          AttrType.BOOLEAN,
          AttrType.STRING,
          AttrType.INTS,
          AttrType.LONGS,
          AttrType.FLOATS,
          AttrType.BOOLEANS,
          AttrType.STRINGS);

  /** Lists get longer than anything that is followed element by element. */
  private static final int LONG_LIST = 70;

  private final SplittableRandom random;

  private ProgramMutations(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The program with one to three faults. O(size). */
  public static ProgramDesc mutate(ProgramDesc program, long seed) {
    ProgramMutations mutations = new ProgramMutations(seed);
    ProgramDesc.Builder damaged = program.toBuilder();
    for (int faults = 1 + mutations.random.nextInt(3); faults > 0; faults--) {
      mutations.damage(
          damaged.getBlocksBuilder(mutations.random.nextInt(damaged.getBlocksCount())));
    }
    return damaged.build();
  }

  private void damage(BlockDesc.Builder block) {
    int kind = random.nextInt(10);
    if (kind < 2 && block.getVarsCount() > 0) {
      damage(block.getVarsBuilder(random.nextInt(block.getVarsCount())));
    } else if (block.getOpsCount() > 0) {
      OpDesc.Builder operation = block.getOpsBuilder(random.nextInt(block.getOpsCount()));
      if (kind < 7) {
        damageAttribute(operation);
      } else if (block.getVarsCount() > 0) {
        damageSlot(operation, block.getVars(random.nextInt(block.getVarsCount())).getName());
      }
    }
  }

  private void damage(VarDesc.Builder variable) {
    if (variable.getType().getType() == VarType.Type.LOD_TENSOR) {
      VarType.TensorDesc.Builder tensor =
          variable.getTypeBuilder().getLodTensorBuilder().getTensorBuilder();
      List<Long> dims = damaged(tensor.getDimsList());
      tensor.clearDims().addAllDims(dims);
    }
  }

  private void damageSlot(OpDesc.Builder operation, String other) {
    boolean isInput = operation.getInputsCount() > 0 && random.nextInt(3) > 0;
    List<OpDesc.Var.Builder> slots =
        isInput ? operation.getInputsBuilderList() : operation.getOutputsBuilderList();
    if (slots.isEmpty()) {
      return;
    }
    OpDesc.Var.Builder slot = slots.get(random.nextInt(slots.size()));
    int count = slot.getArgumentsCount();
    switch (random.nextInt(count == 0 ? 2 : 4)) {
      case 0 -> slot.clearArguments();
      case 1 -> slot.addArguments(other);
      case 2 -> slot.setArguments(random.nextInt(count), "@EMPTY@");
      default -> slot.setArguments(random.nextInt(count), other);
    }
  }

  private void damageAttribute(OpDesc.Builder operation) {
    if (operation.getAttrsCount() == 0) {
      return;
    }
    int index = random.nextInt(operation.getAttrsCount());
    OpDesc.Attr.Builder attribute = operation.getAttrsBuilder(index);
    switch (random.nextInt(8)) {
      case 0 -> operation.removeAttrs(index);
      case 1 -> {
        AttrType type = TYPES.get(random.nextInt(TYPES.size()));
        operation.setAttrs(
            index, damaged(OpDesc.Attr.newBuilder().setName(attribute.getName()).setType(type)));
      }
      default -> damaged(attribute);
    }
  }

  private OpDesc.Attr.Builder damaged(OpDesc.Attr.Builder attribute) {
    switch (attribute.getType()) {
      case INT -> attribute.setI((int) number());
      case LONG -> attribute.setL(number());
      case FLOAT -> attribute.setF((float) real());
      case FLOAT64 -> attribute.setFloat64(real());
      case BOOLEAN -> attribute.setB(random.nextBoolean());
      case STRING -> attribute.setS(text());
      case INTS -> {
        List<Long> numbers = damaged(attribute.getIntsList());
        attribute.clearInts();
        numbers.forEach(number -> attribute.addInts((int) (long) number));
      }
      case LONGS -> {
        List<Long> numbers = damaged(attribute.getLongsList());
        attribute.clearLongs().addAllLongs(numbers);
      }
      case FLOATS -> {
        attribute.clearFloats();
        repeat(i -> attribute.addFloats((float) real()));
      }
      case BOOLEANS -> {
        attribute.clearBools();
        repeat(i -> attribute.addBools(random.nextBoolean()));
      }
      case STRINGS -> {
        attribute.clearStrings();
        repeat(i -> attribute.addStrings(text()));
      }
      default -> {}
    }
    return attribute;
  }

  private List<Long> damaged(List<? extends Number> numbers) {
    List<Long> damaged = new ArrayList<>();
    numbers.forEach(number -> damaged.add(number.longValue()));
    int count = damaged.size();
    switch (random.nextInt(count == 0 ? 2 : 6)) {
      case 0 -> damaged.add(random.nextInt(count + 1), number());
      case 1 -> {
        damaged.clear();
        repeat(i -> damaged.add(number()));
      }
      case 2 -> damaged.clear();
      case 3 -> damaged.remove(random.nextInt(count));
      default -> damaged.set(random.nextInt(count), number());
    }
    return damaged;
  }

  private void repeat(LongConsumer add) {
    int length = random.nextInt(5) == 0 ? LONG_LIST : random.nextInt(7);
    for (int i = 0; i < length; i++) {
      add.accept(i);
    }
  }

  private long number() {
    return random.nextInt(3) == 0
        ? random.nextInt(9) - 2
        : NUMBERS.get(random.nextInt(NUMBERS.length()));
  }

  private double real() {
    return REALS.get(random.nextInt(REALS.length()));
  }

  private String text() {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }
}
