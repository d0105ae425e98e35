package dev.sublet.codec.tensor;

import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes tensors as NumPy's {@code .npy} files: version 1.0, little-endian, C order. */
public final class NpyWriter {

  /** The elements begin at a multiple of this number of bytes. */
  private static final int ALIGNMENT = 64;

  private NpyWriter() {}

  /**
   * Returns the content of a file with the tensor. O(elements).
   *
   * @throws IllegalArgumentException if the content does not fit into an array
   */
  public static byte[] toBytes(Tensor tensor) {
    String header = new NpyHeader(tensor.type(), /* fortranOrder= */ false, tensor.shape()).text();
    int unpadded = 10 + header.length() + 1;
    int padding = (ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT;
    byte[] elements = TensorBytes.of(tensor);
    ByteBuffer bytes =
        ByteBuffer.allocate(unpadded + padding + elements.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    bytes.put((byte) 1).put((byte) 0);
    bytes.putShort((short) (header.length() + padding + 1));
    bytes.put(header.getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < padding; i++) {
      bytes.put((byte) ' ');
    }
    bytes.put((byte) '\n').put(elements);
    return bytes.array();
  }
}
