package dev.sublet.codec;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.proto.VarType;
import dev.sublet.tensor.Tensor;
import dev.sublet.testing.ProgramText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of parameters, written byte by byte here. */
final class ParameterReaderTest {

  private static final Program PROGRAM =
      ProgramText.parse(
          """
          block 0
            var w: fp32[2,1] persistable
            var a: int64[2] persistable
            var local: fp32[9]
            var fetch: fetch_list persistable
          """);

  private static final ImmutableMap<String, Tensor> EXPECTED =
      ImmutableMap.of(
          "a", Tensor.of(ImmutableLongArray.of(2), 5L, -1L),
          "w", Tensor.of(ImmutableLongArray.of(2, 1), 0.5f, -2f));

  @TempDir private Path folder = Path.of("");

  /** A tensor with a level of sequences, if any. */
  private static byte[] tensor(DataType type, long[] dims, long[] lod, Number... elements) {
    VarType.TensorDesc.Builder desc = VarType.TensorDesc.newBuilder();
    desc.setDataTypeValue(type.number());
    for (long extent : dims) {
      desc.addDims(extent);
    }
    byte[] message = desc.build().toByteArray();
    ByteBuffer bytes = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0).putLong(lod.length == 0 ? 0 : 1);
    if (lod.length > 0) {
      bytes.putLong(lod.length * 8L);
      for (long offset : lod) {
        bytes.putLong(offset);
      }
    }
    bytes.putInt(0).putInt(message.length).put(message);
    for (Number element : elements) {
      if (type == DataType.INT64) {
        bytes.putLong(element.longValue());
      } else {
        bytes.putFloat(element.floatValue());
      }
    }
    byte[] result = new byte[bytes.position()];
    bytes.flip().get(result);
    return result;
  }

  private static final byte[] A = tensor(DataType.INT64, new long[] {2}, new long[] {}, 5, -1);
  private static final byte[] W =
      tensor(DataType.FP32, new long[] {2, 1}, new long[] {0, 1, 2}, 0.5, -2);

  private Path write(String name, byte[]... parts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.write(part);
    }
    return Files.write(folder.resolve(name), bytes.toByteArray());
  }

  @Test
  void read_aCombinedFile_takesParametersInTheOrderOfTheirNames() throws IOException {
    assertThat(ParameterReader.read(write("all", A, W), PROGRAM)).isEqualTo(EXPECTED);
  }

  @Test
  void read_aDirectory_takesAFileForEachParameter() throws IOException {
    write("a", A);
    write("w", W);

    assertThat(ParameterReader.read(folder, PROGRAM)).isEqualTo(EXPECTED);
  }

  private String messageFor(byte[]... parts) throws IOException {
    Path file = write("all", parts);
    ProgramException error =
        assertThrows(ProgramException.class, () -> ParameterReader.read(file, PROGRAM));
    assertThat(error.exitCode()).isEqualTo(3);
    return String.valueOf(error.getMessage()).replace(folder + "/", "");
  }

  @Test
  void read_aWrongFile_saysWhatIsWrong() throws IOException {
    byte[] half = tensor(DataType.FP16, new long[] {2, 1}, new long[] {}, 0.5);
    assertThat(messageFor(W, A))
        .isEqualTo(
            "all: variable 'a': the program declares INT64[2] but the file has FP32[2, 1] in its"
                + " place; it is that of another program");
    assertThat(messageFor(A))
        .isEqualTo("all: variable 'w': the file ends before or within this parameter");
    assertThat(messageFor(A, Arrays.copyOf(W, W.length - 1)))
        .isEqualTo("all: variable 'w': the file ends before or within this parameter");
    assertThat(messageFor(A, W, A))
        .isEqualTo(
            "all: the file goes on behind the program's 2 parameters; it is that of another"
                + " program");
    assertThat(messageFor(new byte[] {1, 0, 0, 0}))
        .isEqualTo(
            "all: variable 'a': version 1 where 0 is expected; these are not the program's"
                + " parameters");
    assertThat(messageFor(A, half))
        .isEqualTo(
            "all: variable 'w': the program declares FP32[2, 1] but the file has FP16[2, 1] in"
                + " its place; it is that of another program");
  }

  @Test
  void read_elementsThatNothingComputesWith_isAnError() throws IOException {
    Path file = write("all", tensor(DataType.FP16, new long[] {1}, new long[] {}));
    Program program = ProgramText.parse("block 0", "var h: fp16[1] persistable");
    ProgramException error =
        assertThrows(ProgramException.class, () -> ParameterReader.read(file, program));

    assertThat(error)
        .hasMessageThat()
        .endsWith("variable 'h': parameters of FP16 are not supported: nothing computes with them");
  }

  @Test
  void read_realFiles() {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "SUBLET_CORPUS is not set");
    for (String name : new String[] {"luong_infer", "t66y"}) {
      Path model = Path.of(String.valueOf(corpus)).resolve("paddle").resolve(name);
      Program program = ProgramReader.read(model);
      ImmutableMap<String, Tensor> parameters =
          ParameterReader.read(model.resolve("params.pdiparams"), program);

      assertThat(parameters.size()).isGreaterThan(20);
      for (Tensor tensor : parameters.values()) {
        for (int i = 0; i < tensor.length(); i++) {
          assertThat(Math.abs(tensor.getDouble(i))).isLessThan(1e6);
        }
      }
    }
  }
}
