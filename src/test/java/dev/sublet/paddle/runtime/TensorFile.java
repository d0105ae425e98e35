package dev.sublet.paddle.runtime;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.sublet.program.DataType;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The files in which named tensors pass between a test and the process that runs its model. */
final class TensorFile {

  private TensorFile() {}

  /** Writes tensors in the map's order. */
  static void write(Path file, Map<String, TensorData> tensors) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(tensors.size());
      for (Map.Entry<String, TensorData> entry : tensors.entrySet()) {
        out.writeUTF(entry.getKey());
        write(out, entry.getValue());
      }
    }
  }

  private static void write(DataOutputStream out, TensorData tensor) throws IOException {
    out.writeUTF(tensor.type().name());
    write(out, tensor.dims());
    out.writeInt(tensor.lod().size());
    for (ImmutableLongArray level : tensor.lod()) {
      write(out, level);
    }
    out.writeInt(tensor.bytes().size());
    tensor.bytes().writeTo(out);
  }

  private static void write(DataOutputStream out, ImmutableLongArray array) throws IOException {
    out.writeInt(array.length());
    for (int i = 0; i < array.length(); i++) {
      out.writeLong(array.get(i));
    }
  }

  /** Reads what {@link #write} wrote. */
  static ImmutableMap<String, TensorData> read(Path file) throws IOException {
    ImmutableMap.Builder<String, TensorData> tensors = ImmutableMap.builder();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        tensors.put(in.readUTF(), readTensor(in));
      }
    }
    return tensors.buildOrThrow();
  }

  private static TensorData readTensor(DataInputStream in) throws IOException {
    DataType type = DataType.valueOf(in.readUTF());
    ImmutableLongArray dims = readArray(in);
    ImmutableList.Builder<ImmutableLongArray> lod = ImmutableList.builder();
    int levels = in.readInt();
    for (int i = 0; i < levels; i++) {
      lod.add(readArray(in));
    }
    ByteString bytes = UnsafeByteOperations.unsafeWrap(in.readNBytes(in.readInt()));
    return new TensorData(type, dims, lod.build(), bytes);
  }

  private static ImmutableLongArray readArray(DataInputStream in) throws IOException {
    int length = in.readInt();
    ImmutableLongArray.Builder array = ImmutableLongArray.builder(length);
    for (int i = 0; i < length; i++) {
      array.add(in.readLong());
    }
    return array.build();
  }
}
