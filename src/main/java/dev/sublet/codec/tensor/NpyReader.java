package dev.sublet.codec.tensor;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import dev.sublet.runtime.tensor.TooLargeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads tensors from NumPy's {@code .npy} files, versions 1 to 3, with elements {@code f4}, {@code
 * f8}, {@code i4}, {@code i8} (little-endian), {@code b1}, {@code u1} or {@code i1}. An array in
 * Fortran order is transposed.
 *
 * <p>Source: NumPy's description of the format ({@code numpy.lib.format}).
 */
public final class NpyReader {

  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  private NpyReader() {}

  /**
   * Reads a file. O(size).
   *
   * @throws ProgramException if the file cannot be read, is not such a file, or has elements of
   *     another type
   */
  public static Tensor read(Path file) {
    return parse(InputFiles.read(file), file.toString());
  }

  /** Reads a file's content; {@code sourceName} is the file's name in diagnostics. */
  public static Tensor parse(byte[] bytes, String sourceName) {
    Location place = Location.file(sourceName);
    int start = 10;
    boolean isLong = bytes.length > 6 && bytes[6] >= 2;
    start += isLong ? 2 : 0;
    if (bytes.length < start || !startsWithMagic(bytes) || bytes[6] < 1 || bytes[6] > 3) {
      throw ProgramException.unreadable(place, "no NumPy file of version 1 to 3");
    }
    long length = (bytes[8] & 0xFF) | (bytes[9] & 0xFF) << 8;
    if (isLong) {
      length |= (bytes[10] & 0xFFL) << 16 | (bytes[11] & 0xFFL) << 24;
    }
    if (length > bytes.length - start) {
      throw ProgramException.unreadable(place, "the file ends within its header");
    }
    String text = new String(bytes, start, (int) length, StandardCharsets.UTF_8);
    NpyHeader header = NpyHeader.parse(text, place);
    return elements(bytes, start + (int) length, header, place);
  }

  private static boolean startsWithMagic(byte[] bytes) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (bytes[i] != MAGIC[i]) {
        return false;
      }
    }
    return true;
  }

  private static Tensor elements(byte[] bytes, int start, NpyHeader header, Location place) {
    ElementType type = header.type();
    ImmutableLongArray shape = header.shape();
    long size;
    try {
      size = TensorBytes.size(type, shape);
    } catch (TooLargeException e) {
      throw ProgramException.unreadable(place, "its shape " + shape + " does not fit 64 bits");
    }
    if (size != bytes.length - start) {
      throw ProgramException.unreadable(
          place,
          type
              + ""
              + shape
              + " takes "
              + ByteText.inWords(size)
              + ", but "
              + ByteText.exact(bytes.length - start)
              + " follow the header");
    }
    byte[] ordered = header.fortranOrder() ? transposed(bytes, start, type.bytes(), shape) : bytes;
    try {
      return TensorBytes.get(type, shape, ordered, header.fortranOrder() ? 0 : start);
    } catch (IllegalArgumentException e) {
      throw ProgramException.unreadable(place, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Converts elements from Fortran order to C order: the index of the last axis then changes
   * fastest.
   */
  private static byte[] transposed(byte[] bytes, int start, int width, ImmutableLongArray shape) {
    int count = Tensor.length(shape);
    byte[] result = new byte[count * width];
    int[] index = new int[shape.length()];
    for (int i = 0; i < count; i++) {
      long source = 0;
      for (int axis = index.length - 1; axis >= 0; axis--) {
        source = source * shape.get(axis) + index[axis];
      }
      System.arraycopy(bytes, start + (int) source * width, result, i * width, width);
      for (int axis = index.length - 1; axis >= 0 && ++index[axis] == shape.get(axis); axis--) {
        index[axis] = 0;
      }
    }
    return result;
  }
}
