package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.codec.ProgramFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {

  @TempDir private Path folder;
  private Path input;

  @BeforeEach
  void writeInput() throws IOException {
    input = CommandRun.write(folder.resolve("in.pdmodel"), CommandRun.CHAIN);
  }

  @Test
  void thereAndBack_isTheSameFile() throws IOException {
    Path text = folder.resolve("p.textproto");
    Path json = folder.resolve("p.json");
    Path back = folder.resolve("back.pdmodel");

    assertThat(CommandRun.of("convert", input, "-o", text).exitCode()).isEqualTo(0);
    assertThat(CommandRun.of("convert", text, "-o", json).exitCode()).isEqualTo(0);
    CommandRun last = CommandRun.of("convert", json, "-o", back);

    assertThat(Files.readString(text)).startsWith("blocks {");
    assertThat(Files.readString(json)).startsWith("{");
    assertThat(Files.readAllBytes(back)).isEqualTo(Files.readAllBytes(input));
    assertThat(last.text()).isEmpty();
    assertThat(last.errors()).isEmpty();
  }

  @Test
  void to_decidesTheFormWhateverTheName() throws IOException {
    Path output = folder.resolve("p.json");

    CommandRun.of("convert", input, "-o", output, "--to", "text");

    assertThat(Files.readAllBytes(output))
        .isEqualTo(CommandRun.bytes(ProgramFormat.TEXT, CommandRun.CHAIN));
  }

  @Test
  void standardOutput_getsTextUnlessToldOtherwise() throws IOException {
    byte[] binary = Files.readAllBytes(input);

    assertThat(CommandRun.withInput(binary, "convert", "-", "-o", "-").output())
        .isEqualTo(CommandRun.bytes(ProgramFormat.TEXT, CommandRun.CHAIN));
    assertThat(CommandRun.withInput(binary, "convert", "-", "-o", "-", "--to", "binary").output())
        .isEqualTo(binary);
  }

  @Test
  void whatIsLost_isAWarningUnlessQuiet() throws IOException {
    byte[] binary = Files.readAllBytes(input);
    byte[] withUnknownField = new byte[binary.length + 2];
    System.arraycopy(binary, 0, withUnknownField, 0, binary.length);
    withUnknownField[binary.length] = 15 << 3; // field 15, a varint: ProgramDesc has none
    withUnknownField[binary.length + 1] = 1;
    Files.write(input, withUnknownField);
    Path output = folder.resolve("p.txt");

    assertThat(CommandRun.of("convert", input, "-o", output).errors())
        .isEqualTo(
            "warning: unknown fields are left out of 1 messages, the first is the program itself;"
                + " only the binary form carries them\n");
    assertThat(CommandRun.of("convert", input, "-o", output, "-q").errors()).isEmpty();
  }

  @Test
  void aBadInput_leavesTheOldOutput() throws IOException {
    Path output = Files.writeString(folder.resolve("p.txt"), "old");
    Files.writeString(input, "no program");

    CommandRun run = CommandRun.of("convert", input, "-o", output);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(Files.readString(output)).isEqualTo("old");
    assertThat(CommandRun.filesIn(folder)).containsExactly("in.pdmodel", "p.txt");
  }
}
