package dev.sublet.codec.foreign;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Zip archives, told apart by the names of their entries.
 *
 * <p>The names are those of the local headers in the head of the file and of the central directory
 * in its tail; no entry is unpacked. Sources: APPNOTE 4.3.7 and 4.3.12; {@code
 * torch/serialization.py} and {@code torch/csrc/jit/serialization/export.cpp} ({@code
 * NAME/data.pkl}, and with code {@code NAME/constants.pkl}); {@code saving_lib.py} of Keras.
 */
final class ZipSignatures {

  private static final String LOCAL_HEADER = "PK\3\4";
  private static final String DIRECTORY_HEADER = "PK\1\2";

  private ZipSignatures() {}

  /** Returns the format of a zip archive; empty for any other file. */
  static Optional<ForeignFormat> find(FileSample file) {
    if (!file.hasAt(0, LOCAL_HEADER)) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    addNames(file.head(), LOCAL_HEADER, /* lengthAt= */ 26, /* nameAt= */ 30, names);
    addNames(file.tail(), DIRECTORY_HEADER, /* lengthAt= */ 28, /* nameAt= */ 46, names);
    return Optional.of(format(names));
  }

  private static ForeignFormat format(List<String> names) {
    if (names.stream().anyMatch(name -> name.endsWith("/constants.pkl"))) {
      return ForeignFormat.TORCH_SCRIPT;
    }
    if (names.stream().anyMatch(name -> name.endsWith("/data.pkl"))) {
      return ForeignFormat.TORCH;
    }
    boolean isKeras = names.contains("config.json") && names.contains("model.weights.h5");
    return isKeras ? ForeignFormat.KERAS : ForeignFormat.ARCHIVE;
  }

  /** Adds the names after all headers of a kind. O(length of the bytes). */
  private static void addNames(
      byte[] bytes, String header, int lengthAt, int nameAt, List<String> names) {
    String text = new String(bytes, ISO_8859_1);
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int start = text.indexOf(header);
    while (start >= 0 && start + nameAt <= bytes.length) {
      int length = Short.toUnsignedInt(numbers.getShort(start + lengthAt));
      if (start + nameAt + length <= bytes.length) {
        names.add(text.substring(start + nameAt, start + nameAt + length));
      }
      start = text.indexOf(header, start + nameAt);
    }
  }
}
