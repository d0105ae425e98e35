package dev.sublet.codec.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.codec.program.Content;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads {@link OfflineAllocation}s, in the binary form or in JSON; the content decides which. A
 * malformed file causes a {@link ProgramException} with exit code 3, placed in the file. O(length).
 */
public final class OfflineAllocationReader {

  /** The length of the beginning of a file that contains the name, if Sublet wrote the file. */
  private static final int LONGEST_BEGINNING = 4096;

  private OfflineAllocationReader() {}

  /**
   * Whether a file is an offline allocation, according to its beginning; false if the file cannot
   * be read.
   */
  public static boolean isOne(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream stream = Files.newInputStream(file)) {
      return isOne(stream.readNBytes(LONGEST_BEGINNING));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether some content is an offline allocation, according to its beginning. No serialized
   * message begins with the same bytes.
   */
  public static boolean isOne(byte[] bytes) {
    boolean array =
        bytes.length >= 4
            && bytes[0] == OfflineAllocation.VERSION
            && bytes[1] == 0
            && bytes[2] == 0
            && bytes[3] == 0;
    return array || (bytes.length > 0 && bytes[0] == '{' && OfflineJson.isOne(text(bytes)));
  }

  /** Reads a file. */
  public static OfflineAllocation read(Path file) {
    return parse(InputFiles.read(file), file.toString());
  }

  /** Reads a file's content; {@code sourceName} is the file's name in diagnostics. */
  public static OfflineAllocation parse(byte[] bytes, String sourceName) {
    try {
      boolean json = bytes.length > 0 && bytes[0] == '{';
      return json ? OfflineJson.parse(Content.of(bytes).text()) : ofWords(bytes);
    } catch (ProgramException e) {
      throw e.in(sourceName);
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, 0, Math.min(bytes.length, LONGEST_BEGINNING), UTF_8);
  }

  static OfflineAllocation ofWords(byte[] bytes) {
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length % Integer.BYTES != 0
        || bytes.length < OfflineAllocation.HEADER_WORDS * Integer.BYTES) {
      throw malformed(
          "not an OfflineMemoryAllocation: "
              + bytes.length
              + " bytes are not three or more numbers of 4 bytes");
    }
    int version = words.getInt();
    int subgraph = words.getInt();
    int count = words.getInt();
    if (version != OfflineAllocation.VERSION || subgraph != OfflineAllocation.SUBGRAPH) {
      throw malformed(
          "an OfflineMemoryAllocation of version "
              + version
              + " for subgraph "
              + subgraph
              + "; only version 1 for subgraph 0 is known");
    }
    int present = words.remaining() / Integer.BYTES;
    if (count != present) {
      throw malformed("it should have " + count + " offsets, but it has " + present);
    }
    ImmutableIntArray.Builder offsets = ImmutableIntArray.builder(present);
    for (int i = 0; i < present; i++) {
      int offset = words.getInt();
      if (offset < OfflineAllocation.UNPLANNED) {
        throw malformed("the offset of tensor " + i + " is " + offset);
      }
      offsets.add(offset);
    }
    return new OfflineAllocation(offsets.build(), ImmutableList.of(), ImmutableList.of());
  }

  static ProgramException malformed(String message) {
    return ProgramException.unreadable(Location.nowhere(), message);
  }
}
