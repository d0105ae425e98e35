package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.TreeMap;

/** Tensors of zeros in the forms of files. */
final class TensorBytes {

  private static final long MOST_ELEMENTS = 10_000;

  private TensorBytes() {}

  /** Of NumPy. */
  static byte[] npy(VarType.TensorDesc tensor) {
    StringBuilder shape = new StringBuilder();
    tensor.getDimsList().forEach(extent -> shape.append(Math.max(1, extent)).append(", "));
    String header =
        String.format(
            "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
            tensor.getDataType() == VarType.Type.INT64 ? "<i8" : "<f4", shape);
    header += " ".repeat(63 - (header.length() + 10) % 64) + "\n";
    byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    byte[] length = {(byte) header.length(), (byte) (header.length() >> 8)};
    return Bytes.concat(magic, length, header.getBytes(ISO_8859_1), zeros(tensor));
  }

  /** As Paddle's operator {@code save} writes a parameter. */
  static byte[] parameter(VarType.TensorDesc tensor) {
    byte[] description = tensor.toByteArray();
    ByteBuffer head = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(0).putLong(0).putInt(0).putInt(description.length);
    return Bytes.concat(head.array(), description, zeros(tensor));
  }

  private static byte[] zeros(VarType.TensorDesc tensor) {
    long elements = 1;
    for (long extent : tensor.getDimsList()) {
      elements = Math.min(MOST_ELEMENTS, elements * Math.max(1, Math.min(extent, MOST_ELEMENTS)));
    }
    int width =
        switch (tensor.getDataType()) {
          case INT64, FP64 -> 8;
          case BOOL, UINT8, INT8 -> 1;
          default -> 4;
        };
    return new byte[Ints.checkedCast(elements * width)];
  }

  /** The persistable tensors of a program, in the order in which they are saved together. */
  static ImmutableMap<String, VarType.TensorDesc> parameters(ProgramDesc program) {
    TreeMap<String, VarType.TensorDesc> parameters = new TreeMap<>();
    for (VarDesc variable : variables(program)) {
      if (variable.getPersistable() && variable.getType().hasLodTensor()) {
        parameters.put(variable.getName(), variable.getType().getLodTensor().getTensor());
      }
    }
    return ImmutableMap.copyOf(parameters);
  }

  /** The feeds of a program. */
  static ImmutableMap<String, VarType.TensorDesc> feeds(ProgramDesc program) {
    ImmutableMap.Builder<String, VarType.TensorDesc> feeds = ImmutableMap.builder();
    for (VarDesc variable : variables(program)) {
      boolean isFed =
          program.getBlocks(0).getOpsList().stream()
              .filter(operator -> operator.getType().equals("feed"))
              .flatMap(operator -> operator.getOutputsList().stream())
              .anyMatch(output -> output.getArgumentsList().contains(variable.getName()));
      if (isFed) {
        feeds.put(variable.getName(), variable.getType().getLodTensor().getTensor());
      }
    }
    return feeds.buildKeepingLast();
  }

  private static List<VarDesc> variables(ProgramDesc program) {
    return program.getBlocksCount() == 0 ? List.of() : program.getBlocks(0).getVarsList();
  }
}
