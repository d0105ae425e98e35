package dev.sublet.paddle.runtime;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Program;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Given tensors as a file of parameters, in the format that {@link RandomParameters} explains. */
public final class ParameterFile {

  private ParameterFile() {}

  /** Writes the persistable tensors of block 0; those that are not given are one zero. */
  public static Path write(Program program, Map<String, LodTensor> tensors) {
    try {
      Path folder = Files.createDirectories(PaddleRuntime.FOLDER.resolve("parameters"));
      Path file = Files.createTempFile(folder, "oracle", "");
      file.toFile().deleteOnExit();
      write(file, program.toMessage(), tensors);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same, to a file. */
  static void write(Path file, ProgramDesc program, Map<String, LodTensor> tensors)
      throws IOException {
    TreeMap<String, LodTensor> sorted = new TreeMap<>();
    LodTensor zero = LodTensor.of(Tensor.zeros(ElementType.FLOAT32, ImmutableLongArray.of(1)));
    for (VarDesc variable : program.getBlocks(0).getVarsList()) {
      if (variable.getPersistable() && variable.getType().getType() == VarType.Type.LOD_TENSOR) {
        sorted.put(variable.getName(), tensors.getOrDefault(variable.getName(), zero));
      }
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      for (LodTensor tensor : sorted.values()) {
        write(out, OracleTensors.data(tensor));
      }
    }
  }

  private static void write(OutputStream out, TensorData tensor) throws IOException {
    VarType.TensorDesc.Builder desc = VarType.TensorDesc.newBuilder();
    desc.setDataTypeValue(tensor.type().number());
    tensor.dims().forEach(desc::addDims);
    byte[] description = desc.build().toByteArray();
    int lodBytes = 0;
    for (ImmutableLongArray level : tensor.lod()) {
      lodBytes += Long.BYTES + level.length() * Long.BYTES;
    }
    ByteBuffer head =
        ByteBuffer.allocate(20 + lodBytes + description.length).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(0).putLong(tensor.lod().size());
    for (ImmutableLongArray level : tensor.lod()) {
      head.putLong((long) level.length() * Long.BYTES);
      level.forEach(head::putLong);
    }
    head.putInt(0).putInt(description.length).put(description);
    out.write(head.array());
    tensor.bytes().writeTo(out);
  }
}
