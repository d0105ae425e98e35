package dev.sublet.codec.foreign;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Binary files whose headers consist of numbers that must fit each other and the file.
 *
 * <p>Sources: the format section of safetensors' README (a length of 8 bytes, then JSON); {@code
 * lod_tensor.cc} and {@code tensor_util.cc} of Paddle; the table "Binary structure of naive_buffer
 * model" in {@code model_parser.cc} of Paddle Lite; Ultralytics' exporter, which writes a length of
 * 4 bytes and JSON before the engine of TensorRT; {@code MNN.fbs} and the FlatBuffers internals.
 */
final class HeaderSignatures {

  /** The longest header that safetensors reads. */
  private static final long LONGEST_JSON = 100_000_000;

  private static final int MOST_LEVELS = 16;
  private static final int LITE_VERSION = 16;
  private static final int LITE_HEADER = 2 + LITE_VERSION + 8;

  /** The positions of {@code oplists} and {@code tensorName} in the table {@code Net} of MNN. */
  private static final int MNN_OPERATORS = 3;

  private static final int MNN_TENSORS = 7;

  private HeaderSignatures() {}

  /** Returns the format that a file begins like. */
  static Optional<ForeignFormat> find(FileSample file) {
    if (isSafetensors(file)) {
      return Optional.of(ForeignFormat.SAFETENSORS);
    }
    if (isWrappedEngine(file)) {
      return Optional.of(ForeignFormat.TENSOR_RT);
    }
    if (isParameters(file)) {
      return Optional.of(ForeignFormat.PADDLE_PARAMETERS);
    }
    if (isPaddleLite(file)) {
      return Optional.of(ForeignFormat.PADDLE_LITE);
    }
    if (file.name().endsWith(".mnn") && isMnn(file)) {
      return Optional.of(ForeignFormat.MNN);
    }
    return Optional.empty();
  }

  private static boolean isSafetensors(FileSample file) {
    if (file.size() < 10) {
      return false;
    }
    long length = file.headNumbers().getLong();
    return length >= 2
        && length <= Math.min(LONGEST_JSON, file.size() - 8)
        && (file.hasAt(8, "{\"") || file.hasAt(8, "{}"));
  }

  private static boolean isWrappedEngine(FileSample file) {
    if (file.size() < 10) {
      return false;
    }
    int length = file.headNumbers().getInt();
    return length > 0
        && length < file.head().length
        && file.hasAt(4, "{\"")
        && file.hasAt(4 + length, "ftrt");
  }

  /**
   * Whether a file begins like a tensor of Paddle: version 0, the levels of its sequences, version
   * 0 again, and a {@code TensorDesc} with its length.
   */
  private static boolean isParameters(FileSample file) {
    ByteBuffer in = file.headNumbers();
    if (in.remaining() < 24 || in.getInt() != 0) {
      return false;
    }
    long levels = in.getLong();
    if (levels < 0 || levels > MOST_LEVELS) {
      return false;
    }
    for (long i = 0; i < levels; i++) {
      long length = in.remaining() < 8 ? -1 : in.getLong();
      if (length < 0 || length > in.remaining()) {
        return false;
      }
      in.position(in.position() + (int) length);
    }
    if (in.remaining() < 9 || in.getInt() != 0) {
      return false;
    }
    int length = in.getInt();
    return length >= 2 && length <= file.size() - in.position() && in.get() == 0x08;
  }

  /**
   * Whether a file begins like an optimized model of Paddle Lite: a version of the form, the
   * version of the tool as text, and the length of the program.
   */
  private static boolean isPaddleLite(FileSample file) {
    if (file.size() <= LITE_HEADER) {
      return false;
    }
    ByteBuffer in = file.headNumbers();
    int version = in.getShort();
    byte[] tool = new byte[LITE_VERSION];
    in.get(tool);
    int length = 0;
    while (length < tool.length && tool[length] > ' ' && tool[length] < 0x7F) {
      length++;
    }
    boolean isText = length >= 4 && (length == tool.length || tool[length] == 0);
    long program = in.getLong();
    return version >= 0
        && version <= 9
        && isText
        && program > 0
        && program <= file.size() - LITE_HEADER;
  }

  /** Whether a file begins with a table that has operators and names of tensors, each a vector. */
  private static boolean isMnn(FileSample file) {
    ByteBuffer in = file.headNumbers();
    return isVector(in, MNN_OPERATORS, file.size()) && isVector(in, MNN_TENSORS, file.size());
  }

  /** Whether a field of the root table refers to a vector that is not empty. */
  private static boolean isVector(ByteBuffer in, int field, long size) {
    long table = in.limit() < 8 ? -1 : in.getInt(0);
    if (table < 4 || table > in.limit() - 4) {
      return false;
    }
    long fields = table - in.getInt((int) table);
    long slot = fields + 4 + 2L * field;
    if (fields < 4 || slot > in.limit() - 2 || slot + 2 > fields + in.getShort((int) fields)) {
      return false;
    }
    int offset = in.getShort((int) slot);
    if (offset < 4 || table + offset > in.limit() - 4) {
      return false;
    }
    long vector = table + offset + in.getInt((int) table + offset);
    return vector > table && vector <= size - 8;
  }
}
