package dev.sublet.codec.foreign;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.base.Ascii;
import com.google.common.io.ByteStreams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The parts of a file that contain signatures.
 *
 * @param name the file's name in lower case, without its folder
 * @param size the file's length in bytes
 * @param head the first bytes of the file
 * @param tail the last bytes of the file, where an archive has its list of entries
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FileSample(String name, long size, byte[] head, byte[] tail) {

  private static final int HEAD = 1 << 13;
  private static final int TAIL = 1 << 16;

  /** Returns the sample of a file that is in memory. */
  static FileSample of(String path, byte[] bytes) {
    return new FileSample(
        name(path),
        bytes.length,
        Arrays.copyOf(bytes, Math.min(bytes.length, HEAD)),
        Arrays.copyOfRange(bytes, Math.max(0, bytes.length - TAIL), bytes.length));
  }

  /** Reads the sample of a regular file. O(1). */
  static FileSample read(Path file) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      long size = channel.size();
      byte[] head = part(channel, 0, HEAD);
      byte[] tail = part(channel, Math.max(0, size - TAIL), TAIL);
      return new FileSample(name(file.toString()), size, head, tail);
    }
  }

  private static byte[] part(SeekableByteChannel channel, long position, int length)
      throws IOException {
    channel.position(position);
    return ByteStreams.limit(Channels.newInputStream(channel), length).readAllBytes();
  }

  private static String name(String path) {
    int start = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
    return Ascii.toLowerCase(path.substring(start));
  }

  /** Whether some bytes are at an offset of the head, one character for each byte. */
  boolean hasAt(int offset, String bytes) {
    for (int i = 0; i < bytes.length(); i++) {
      if (offset + i >= head.length || (head[offset + i] & 0xFF) != bytes.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The head as text, one character for each byte. */
  String headText() {
    return new String(head, ISO_8859_1);
  }

  /** The head as little-endian numbers. */
  ByteBuffer headNumbers() {
    return ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
  }
}
