package dev.sublet.codec.tensor;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.codec.file.InputFolder;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.proto.VarType;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the parameters of a program: the persistable tensors of its entry block.
 *
 * <p>Either one file contains all parameters in the order of their names, as {@code save_combine}
 * writes them; or a directory contains one file per parameter, named after it, as {@code save}
 * writes them. No file outside that directory is opened ({@link InputFolder}).
 *
 * <p>A tensor consists of a version (0, 4 bytes), the number of levels of sequences (8 bytes) and
 * the levels, a version again, the length of a {@code TensorDesc} (4 bytes), that message, and the
 * elements; all little-endian. The file contains no names of tensors, so type and shape must be
 * those that the program declares. Sequences are skipped.
 *
 * <p>The element types FP32, FP64, INT32, INT64, BOOL, UINT8 and INT8 are read; any other type is
 * an error, since the runtime does not compute with it. Source: {@code lod_tensor.cc}, {@code
 * tensor_util.cc} of Paddle.
 */
public final class ParameterReader {

  private static final int MAX_MESSAGE = 1 << 16;

  private final InputStream in;
  private final Location place;

  private ParameterReader(InputStream in, Location place) {
    this.in = in;
    this.place = place;
  }

  /**
   * Reads all parameters of a program, by name. O(size).
   *
   * @param path the combined file, or a directory with one file per parameter
   * @throws ProgramException if the parameters cannot be read, are damaged, or belong to another
   *     program
   */
  public static ImmutableMap<String, Tensor> read(Path path, Program program) {
    Map<String, TensorType> declared = new TreeMap<>();
    for (Variable variable : program.block(0).variables()) {
      if (variable.isPersistable() && variable.tensorType().isPresent()) {
        declared.put(variable.name(), variable.tensorType().get());
      }
    }
    ImmutableMap.Builder<String, Tensor> parameters = ImmutableMap.builder();
    if (Files.isDirectory(path)) {
      InputFolder folder = new InputFolder(path);
      declared.forEach(
          (name, type) -> {
            Path file = folder.file(name);
            Location place = Location.file(path.resolve(name).toString());
            parameters.putAll(readFile(file, place, Map.of(name, type)));
          });
      return parameters.buildOrThrow();
    }
    return readFile(path, Location.file(path.toString()), declared);
  }

  private static ImmutableMap<String, Tensor> readFile(
      Path file, Location place, Map<String, TensorType> declared) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      ParameterReader reader = new ParameterReader(in, place);
      ImmutableMap.Builder<String, Tensor> parameters = ImmutableMap.builder();
      for (Map.Entry<String, TensorType> parameter : declared.entrySet()) {
        parameters.put(
            parameter.getKey(), reader.readTensor(parameter.getKey(), parameter.getValue()));
      }
      if (in.read() >= 0) {
        throw ProgramException.unreadable(
            place,
            "the file goes on after the program's "
                + declared.size()
                + " parameters; it is that of another program");
      }
      return parameters.buildOrThrow();
    } catch (IOException e) {
      throw ProgramException.unreadable(place, InputFiles.describe(e));
    }
  }

  private Tensor readTensor(String name, TensorType declared) throws IOException {
    Location where = place.at(Names.display(name));
    try {
      checkVersion(where);
      long levels = readLength(where);
      for (long i = 0; i < levels; i++) {
        in.skipNBytes(readLength(where));
      }
      checkVersion(where);
      int length = read(4).getInt();
      if (length < 0 || length > MAX_MESSAGE) {
        throw ProgramException.unreadable(
            where, "its type would be a message of " + length + " bytes");
      }
      TensorType type = parse(in.readNBytes(length), where);
      check(declared, type, where);
      ElementType elements = elementType(type.dataType(), where);
      long size = TensorBytes.size(elements, type.dims());
      if (size > Integer.MAX_VALUE - 8) {
        throw ProgramException.unreadable(where, type + " is larger than 2 GiB");
      }
      return TensorBytes.get(elements, type.dims(), read((int) size).array(), 0);
    } catch (EOFException e) {
      throw ProgramException.unreadable(where, "the file ends before or within this parameter");
    } catch (IllegalArgumentException e) {
      throw ProgramException.unreadable(where, String.valueOf(e.getMessage()));
    }
  }

  private void checkVersion(Location where) throws IOException {
    int version = read(4).getInt();
    if (version != 0) {
      throw ProgramException.unreadable(
          where,
          "version " + version + " where 0 is expected; these are not the program's parameters");
    }
  }

  /** Reads a length or a count of 8 bytes. */
  private long readLength(Location where) throws IOException {
    long length = read(8).getLong();
    if (length < 0) {
      throw ProgramException.unreadable(
          where, "a length of " + length + "; these are not the program's parameters");
    }
    return length;
  }

  private ByteBuffer read(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static TensorType parse(byte[] message, Location where) {
    try {
      VarType.TensorDesc desc = VarType.TensorDesc.parseFrom(message);
      return new TensorType(
          dataType(desc.getDataTypeValue()), ImmutableLongArray.copyOf(desc.getDimsList()), 0);
    } catch (InvalidProtocolBufferException e) {
      throw ProgramException.unreadable(where, "its type is malformed: " + e.getMessage());
    }
  }

  private static DataType dataType(int number) {
    for (DataType type : DataType.values()) {
      if (type.number() == number) {
        return type;
      }
    }
    return DataType.UNKNOWN;
  }

  private static void check(TensorType declared, TensorType found, Location where) {
    boolean fits =
        declared.dataType() == found.dataType()
            && (declared.dims().length() == found.dims().length() || declared.dims().isEmpty());
    for (int axis = 0; fits && axis < declared.dims().length(); axis++) {
      long extent = declared.dims().get(axis);
      fits = extent == -1 || extent == found.dims().get(axis);
    }
    if (!fits) {
      throw ProgramException.unreadable(
          where,
          "the program declares "
              + declared
              + " but the file has "
              + found
              + " in its place; it is that of another program");
    }
  }

  private static ElementType elementType(DataType type, Location where) {
    return switch (type) {
      case FP32 -> ElementType.FLOAT32;
      case FP64 -> ElementType.FLOAT64;
      case INT32 -> ElementType.INT32;
      case INT64 -> ElementType.INT64;
      case BOOL -> ElementType.BOOL;
      case UINT8 -> ElementType.UINT8;
      case INT8 -> ElementType.INT8;
      default ->
          throw ProgramException.unreadable(
              where, "parameters of " + type + " are not supported: nothing computes with them");
    };
  }
}
