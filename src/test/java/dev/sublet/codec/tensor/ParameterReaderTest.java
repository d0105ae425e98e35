package dev.sublet.codec.tensor;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import dev.sublet.proto.VarType.TensorDesc;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @Test
  void read_aDirectory_takesNamesWithSlashesAndLinksThatStayInside() throws IOException {
    Files.createDirectory(folder.resolve("conv"));
    write("conv/w", W);
    write("v", W);
    Files.createSymbolicLink(folder.resolve("link"), Path.of("conv/../v"));

    assertThat(ParameterReader.read(folder, programWith("conv/w", "link")).keySet())
        .containsExactly("conv/w", "link");
  }

  /** The files outside hold what is asked for: if one were opened, it would be taken. */
  @ParameterizedTest
  @CsvSource({
    "../w,             its name leads out of the directory; nothing outside is opened",
    "in/../w,          its name leads out of the directory; nothing outside is opened",
    "in/../../w,       its name leads out of the directory; nothing outside is opened",
    "./in/file,        its name leads out of the directory; nothing outside is opened",
    "..,               its name leads out of the directory; nothing outside is opened",
    ".,                its name leads out of the directory; nothing outside is opened",
    "'',               its name leads out of the directory; nothing outside is opened",
    "/,                its name leads out of the directory; nothing outside is opened",
    "OUTSIDE/w,        its name leads out of the directory; nothing outside is opened",
    "in//file,         its name can be no file's; use one file for all",
    "in/file/,         its name can be no file's; use one file for all",
    "in/NUL,           its name can be no file's (Nul character not allowed); use one file for all",
    "in/BYTE,          its name can be no file's (Malformed input or input contains",
    "link,             'a symbolic link leads out of the directory, to OUTSIDE/w; nothing'",
    "folder/w,         'a symbolic link leads out of the directory, to OUTSIDE/w; nothing'",
    "circle,           Too many levels of symbolic links",
    "dangling,         no such file",
    "in,               is not a regular file",
    "none,             no such file",
    "LONG,             File name too long",
  })
  void read_aNameThatIsNoFileInTheDirectory_opensNothing(String written, String message)
      throws IOException {
    Path outside = folder.toRealPath();
    write("w", W);
    Path inside = Files.createDirectory(folder.resolve("params"));
    Files.createDirectory(inside.resolve("in"));
    Files.write(inside.resolve("in/file"), W);
    Files.createSymbolicLink(inside.resolve("link"), Path.of("../w"));
    Files.createSymbolicLink(inside.resolve("folder"), outside);
    Files.createSymbolicLink(inside.resolve("circle"), Path.of("circle"));
    Files.createSymbolicLink(inside.resolve("dangling"), Path.of("nowhere"));
    String name =
        written
            .replace("OUTSIDE", outside.toString())
            .replace("LONG", "w".repeat(300))
            .replace("NUL", "\0")
            .replace("BYTE", "\u0080");
    Program program = programWith(name);

    ProgramException error =
        assertThrows(ProgramException.class, () -> ParameterReader.read(inside, program));

    assertThat(error.exitCode()).isEqualTo(3);
    assertThat(error.diagnostics()).hasSize(1);
    assertThat(error.diagnostics().get(0).location().file()).isEqualTo(inside.toString());
    assertThat(error.diagnostics().get(0).message())
        .startsWith(message.replace("OUTSIDE", outside.toString()));
  }

  /** So it is for two names that a file system takes for one, such as w and W on some. */
  @Test
  void read_twoParametersInOneFile_isAnError() throws IOException {
    write("w", W);
    Files.createSymbolicLink(folder.resolve("W"), Path.of("w"));

    ProgramException error =
        assertThrows(
            ProgramException.class, () -> ParameterReader.read(folder, programWith("w", "W")));

    assertThat(error)
        .hasMessageThat()
        .isEqualTo(folder + ": variable 'w': its file is also that of 'W'; each needs its own");
  }

  /** A program with parameters of W's type, whose names are bytes. */
  private static Program programWith(String... names) {
    TensorDesc tensor =
        TensorDesc.newBuilder().setDataType(VarType.Type.FP32).addDims(2).addDims(1).build();
    BlockDesc.Builder block = BlockDesc.newBuilder().setIdx(0).setParentIdx(-1);
    for (String name : names) {
      VarDesc.Builder variable = block.addVarsBuilder().setPersistable(true);
      variable.setNameBytes(ByteString.copyFrom(name, StandardCharsets.ISO_8859_1));
      variable.getTypeBuilder().setType(VarType.Type.LOD_TENSOR);
      variable.getTypeBuilder().getLodTensorBuilder().setTensor(tensor);
    }
    return Program.of(ProgramDesc.newBuilder().addBlocks(block).build());
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
            "all: the file goes on after the program's 2 parameters; it is that of another"
                + " program");
    assertThat(messageFor(new byte[] {1, 0, 0, 0}))
        .isEqualTo(
            "all: variable 'a': version 1 where 0 is expected; these are not the program's"
                + " parameters");
    assertThat(messageFor(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -128}))
        .isEqualTo(
            "all: variable 'a': a length of -9223372036854775808; these are not the program's"
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
