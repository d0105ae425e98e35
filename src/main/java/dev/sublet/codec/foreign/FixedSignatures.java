package dev.sublet.codec.foreign;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * Signatures that are certain bytes at a certain offset.
 *
 * <p>Sources: {@code file_identifier} of TensorFlow Lite's {@code schema.fbs} and ONNX Runtime's
 * {@code ort.fbs} (FlatBuffers has it at offset 4); {@code gguf.md} of ggml; the HDF5 file format
 * specification, section II.A (the superblock begins at 0, 512, 1024, 2048, …); {@code
 * MAGIC_NUMBER} of {@code torch/serialization.py}, which files before PyTorch 1.6 begin with as a
 * pickle; ncnn's {@code net.cpp}, whose binary form begins with the number 7767517; torch_tensorrt,
 * which recognizes engines by {@code ftrt}; RFC 1952 (gzip), and the formats of bzip2, xz,
 * Zstandard, 7z, RAR and tar (POSIX ustar).
 */
final class FixedSignatures {

  private static final ImmutableList<Entry> ENTRIES =
      ImmutableList.of(
          new Entry(4, "TFL3", ForeignFormat.TFLITE),
          new Entry(4, "ORTM", ForeignFormat.ORT),
          new Entry(0, "GGUF", ForeignFormat.GGUF),
          new Entry(0, "ftrt", ForeignFormat.TENSOR_RT),
          new Entry(0, "\u00DD\u0085v\0", ForeignFormat.NCNN),
          new Entry(0, "\u0080\2\u008A\nl\u00FC\u009CF\u00F9 j\u00A8P\u0019.", ForeignFormat.TORCH),
          new Entry(0, "\u0089HDF\r\n\u001A\n", ForeignFormat.HDF5),
          new Entry(512, "\u0089HDF\r\n\u001A\n", ForeignFormat.HDF5),
          new Entry(1024, "\u0089HDF\r\n\u001A\n", ForeignFormat.HDF5),
          new Entry(2048, "\u0089HDF\r\n\u001A\n", ForeignFormat.HDF5),
          new Entry(0, "\u001F\u008B\b", ForeignFormat.ARCHIVE),
          new Entry(0, "BZh", ForeignFormat.ARCHIVE),
          new Entry(0, "\u00FD7zXZ\0", ForeignFormat.ARCHIVE),
          new Entry(0, "(\u00B5/\u00FD", ForeignFormat.ARCHIVE),
          new Entry(0, "7z\u00BC\u00AF'\u001C", ForeignFormat.ARCHIVE),
          new Entry(0, "Rar!\u001A\u0007", ForeignFormat.ARCHIVE),
          new Entry(257, "ustar", ForeignFormat.ARCHIVE));

  private FixedSignatures() {}

  /** Returns the format whose bytes a file has. */
  static Optional<ForeignFormat> find(FileSample file) {
    for (Entry entry : ENTRIES) {
      if (file.hasAt(entry.offset, entry.bytes)) {
        return Optional.of(entry.format);
      }
    }
    return Optional.empty();
  }

  private record Entry(int offset, String bytes, ForeignFormat format) {}
}
