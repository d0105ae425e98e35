package dev.sublet.paddle.runtime;

import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.proto.VarType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Pseudo-random parameters for programs that come without theirs. A value depends on the variable's
 * name, shape and use alone, so a rewritten program, which keeps its parameters, has the same.
 *
 * <p>The file is what {@code save_combine} writes: the persistable tensors of block 0 in the order
 * of their names, each as {@code uint32 0} (version), {@code uint64 0} (no LoD), {@code uint32 0}
 * (version), the length of its {@code TensorDesc} as {@code int32}, the {@code TensorDesc}, and the
 * elements, little-endian.
 */
final class RandomParameters {

  private final Program program;

  /** What batch norms divide by: must be positive. */
  private final ImmutableSet<String> variances;

  /** What normalized values are multiplied with: about one, lest deep networks fade to zero. */
  private final ImmutableSet<String> scales;

  /** What is added before a square root: so small that graph passes recognize a normalization. */
  private final ImmutableSet<String> epsilons;

  private RandomParameters(Program program) {
    this.program = program;
    this.variances = argumentsOf(program, "Variance");
    this.scales = argumentsOf(program, "Scale");
    this.epsilons = epsilonsOf(program);
  }

  private static ImmutableSet<String> argumentsOf(Program program, String slotName) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (Operation operation : program.block(0).operations()) {
      for (Slot slot : operation.inputSlots()) {
        if (slot.name().equals(slotName)) {
          for (int i = 0; i < slot.size(); i++) {
            names.add(slot.argument(i));
          }
        }
      }
    }
    return names.build();
  }

  private static ImmutableSet<String> epsilonsOf(Program program) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    String sum = "";
    String added = "";
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("elementwise_add")) {
        sum = operation.outputSlot("Out").orElseThrow().argument(0);
        added = operation.inputSlot("Y").orElseThrow().argument(0);
      } else if (operation.type().equals("sqrt")
          && operation.inputSlot("X").orElseThrow().argument(0).equals(sum)) {
        names.add(added);
      }
    }
    return names.build();
  }

  /** The file of a program's parameters; written the first time. */
  static Path fileFor(Program program) {
    try {
      Path folder = Files.createDirectories(PaddleRuntime.FOLDER.resolve("parameters"));
      Path file = folder.resolve(ProgramWriter.sha256(program));
      if (!Files.exists(file)) {
        Path unfinished = Files.createTempFile(folder, "unfinished", "");
        new RandomParameters(program).write(unfinished);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Path file) throws IOException {
    TreeMap<String, TensorType> parameters = new TreeMap<>();
    for (Variable variable : program.block(0).variables()) {
      if (variable.isPersistable() && variable.tensorType().isPresent()) {
        parameters.put(variable.name(), variable.tensorType().get());
      }
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (var parameter : parameters.entrySet()) {
        write(out, parameter.getKey(), parameter.getValue());
      }
    }
  }

  private void write(OutputStream out, String name, TensorType type) throws IOException {
    VarType.TensorDesc.Builder desc = VarType.TensorDesc.newBuilder();
    desc.setDataTypeValue(type.dataType().number());
    for (int i = 0; i < type.dims().length(); i++) {
      desc.addDims(type.dims().get(i));
    }
    byte[] tensor = desc.build().toByteArray();
    byte[] head = new byte[20 + tensor.length];
    littleEndian(head).putInt(0).putLong(0).putInt(0).putInt(tensor.length).put(tensor);
    out.write(head);
    out.write(elements(name, type));
  }

  private byte[] elements(String name, TensorType type) {
    int count = Math.toIntExact(TensorData.elements(type.dims()));
    byte[] bytes = new byte[count * type.dataType().bytes()];
    ByteBuffer values = littleEndian(bytes);
    SplittableRandom random = new SplittableRandom(name.hashCode());
    double center = variances.contains(name) || scales.contains(name) ? 1 : 0;
    double width = center > 0 ? 0.5 : Math.sqrt(3.0 / fanIn(type.dims()));
    if (epsilons.contains(name)) {
      center = 1e-5;
      width = 0;
    }
    for (int i = 0; i < count; i++) {
      put(values, type.dataType(), center + width * (2 * random.nextDouble() - 1));
    }
    return bytes;
  }

  /** How many products make up one element of a convolution's or a matrix product's result. */
  private static long fanIn(ImmutableLongArray dims) {
    return switch (dims.length()) {
      case 0, 1 -> 100;
      case 2 -> dims.get(0);
      default -> Math.max(1, TensorData.elements(dims) / dims.get(0));
    };
  }

  private static void put(ByteBuffer values, DataType type, double value) {
    switch (type) {
      case FP32 -> values.putFloat((float) value);
      case FP64 -> values.putDouble(value);
      case INT64 -> values.putLong(value > 0 ? 1 : 0);
      case INT32 -> values.putInt(value > 0 ? 1 : 0);
      case BOOL, UINT8, INT8 -> values.put((byte) (value > 0 ? 1 : 0));
      default -> throw new IllegalArgumentException("no parameters of " + type);
    }
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
