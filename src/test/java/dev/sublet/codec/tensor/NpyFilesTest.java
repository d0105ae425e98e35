package dev.sublet.codec.tensor;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NumPy's files: what NumPy writes is read, what is written is what NumPy would write. */
final class NpyFilesTest {

  private static ImmutableLongArray shape(long... extents) {
    return ImmutableLongArray.copyOf(extents);
  }

  /** A file of version 1.0 with this header and these bytes. */
  private static byte[] file(String header, int... content) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[content.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) content[i];
    }
    byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) text.length, 0};
    return Bytes.concat(magic, text, bytes);
  }

  @Test
  void write_givesTheBytesThatNumPyWrites() {
    // numpy.save of numpy.array([[1, 2, 3], [4, 5, 6]], 'f4'), but for the elements.
    String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    byte[] written = NpyWriter.toBytes(Tensor.of(shape(2, 3), 1f, 2f, 3f, 4f, 5f, 6f));

    assertThat(written).hasLength(128 + 24);
    assertThat(new String(written, 0, 10, StandardCharsets.ISO_8859_1))
        .isEqualTo("\u0093NUMPY\u0001\u0000v\u0000");
    assertThat(new String(written, 10, 118, StandardCharsets.US_ASCII))
        .isEqualTo(header + " ".repeat(117 - header.length()) + "\n");
    assertThat(written[128 + 4 + 3]).isEqualTo((byte) 0x40);
  }

  @Test
  void write_thenRead_isTheSame() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 100; round++) {
      long rows = random.nextInt(4);
      ImmutableLongArray shape =
          switch (random.nextInt(4)) {
            case 0 -> shape();
            case 1 -> shape(rows);
            case 2 -> shape(rows, 3);
            default -> shape(2, rows, 1, 5);
          };
      int length = Tensor.length(shape);
      double[] doubles = random.doubles(length).toArray();
      long[] longs = random.longs(length).toArray();
      int[] ints = random.ints(length).toArray();
      float[] floats = new float[length];
      byte[] booleans = new byte[length];
      for (int i = 0; i < length; i++) {
        floats[i] = Float.intBitsToFloat(random.nextInt());
        booleans[i] = (byte) random.nextInt(2);
      }
      assertReadsBack(Tensor.of(shape, doubles));
      assertReadsBack(Tensor.of(shape, floats));
      assertReadsBack(Tensor.of(shape, ints));
      assertReadsBack(Tensor.of(shape, longs));
      assertReadsBack(Tensor.ofBooleans(shape, booleans));
    }
  }

  private static void assertReadsBack(Tensor tensor) {
    byte[] written = NpyWriter.toBytes(tensor);
    Tensor read = NpyReader.parse(written, "x.npy");

    assertThat(read).isEqualTo(tensor);
    assertThat(TensorBytes.of(read)).isEqualTo(TensorBytes.of(tensor));
    assertThat((written.length - TensorBytes.of(tensor).length) % 64).isEqualTo(0);
  }

  @Test
  void read_anArrayInFortranOrder_isTransposed() {
    byte[] file =
        file("{'descr': '|b1', 'fortran_order': True, 'shape': (2, 3), }", 1, 0, 0, 1, 1, 1);

    assertThat(NpyReader.parse(file, "x.npy"))
        .isEqualTo(Tensor.ofBooleans(shape(2, 3), new byte[] {1, 0, 1, 0, 1, 1}));
  }

  @Test
  void read_version2_andOtherQuotesAndOrder() {
    String header = "{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"<i4\"}\n";
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    byte[] file =
        Bytes.concat(
            new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, (byte) text.length, 0, 0, 0},
            text,
            new byte[] {1, 2, 0, 0});

    assertThat(NpyReader.parse(file, "x.npy")).isEqualTo(Tensor.of(shape(1), 513));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '"',
      value = {
        "<f3 # False # (1,) # its elements are '<f3'; only little-endian numbers, booleans, and <V2 (bfloat16) are read",
        ">f4 # False # (1,) # its elements are '>f4'; only little-endian numbers, booleans, and <V2 (bfloat16) are read",
        "<f4 # False # (2,) # float32[2] takes 8 bytes, but 4 follow the header",
        "<f4 # False # (x,) # the shape in its header holds 'x'",
        "<f4 # Maybe # (1,) # its header has no 'fortran_order'",
        "|b1 # False # (4,) # 3 is not a boolean",
      })
  void read_aMalformedFile_saysWhatIsWrong(
      String type, String order, String shape, String message) {
    byte[] file =
        file(
            "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + "}",
            1,
            3,
            0,
            0);
    ProgramException error =
        assertThrows(ProgramException.class, () -> NpyReader.parse(file, "x.npy"));

    assertThat(error).hasMessageThat().isEqualTo("x.npy: " + message);
    assertThat(error.exitCode()).isEqualTo(3);
  }

  @Test
  void read_somethingElse_isRefused() {
    for (byte[] bytes : new byte[][] {{}, {1, 2, 3}, new byte[100]}) {
      ProgramException error =
          assertThrows(ProgramException.class, () -> NpyReader.parse(bytes, "x.npy"));
      assertThat(error).hasMessageThat().isEqualTo("x.npy: no NumPy file of version 1 to 3");
    }
  }
}
