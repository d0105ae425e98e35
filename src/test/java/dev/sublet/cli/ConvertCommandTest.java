package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.codec.program.ProgramFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @Test
  void aPlan_goesThroughAllFormsThatCarryAllOfIt() throws IOException {
    Path plan = folder.resolve("p.pb");
    CommandRun.of("plan", input, "-o", plan);
    Path text = folder.resolve("p.textproto");
    Path json = folder.resolve("p.json");
    Path back = folder.resolve("back");

    assertThat(CommandRun.of("convert", plan, "-o", text).errors()).isEmpty();
    assertThat(CommandRun.of("convert", text, "-o", json).errors()).isEmpty();
    assertThat(CommandRun.of("convert", json, "-o", back).errors()).isEmpty();

    assertThat(Files.readString(text)).startsWith("point_numbering: 1");
    assertThat(Files.readAllBytes(back)).isEqualTo(Files.readAllBytes(plan));
    assertThat(CommandRun.of("convert", plan, "-o", "-").output())
        .isEqualTo(Files.readAllBytes(json));
    assertThat(CommandRun.of("plan", input, "-o", "-", "--to", "text").output())
        .isEqualTo(Files.readAllBytes(text));
  }

  @Test
  void whatCsvLosesOfAPlan_isAWarningUnlessQuiet() throws IOException {
    Path plan = folder.resolve("p.pb");
    CommandRun.of("plan", input, "-o", plan);
    Path csv = folder.resolve("p.csv");

    assertThat(CommandRun.of("convert", plan, "-o", csv).errors())
        .isEqualTo(
            "warning: CSV holds the allocations of a plan alone, without the size of an arena,"
                + " 2 unplanned variables\n");
    assertThat(CommandRun.of("convert", plan, "-o", csv, "-q").errors()).isEmpty();
    assertThat(Files.readString(csv)).startsWith("block_idx,variable,");
  }

  @Test
  void theProgramOfAPlan_mustBeTheRightOne() throws IOException {
    Path plan = folder.resolve("p.pb");
    CommandRun.of("plan", input, "-o", plan);
    Path other =
        CommandRun.write(folder.resolve("other.pdmodel"), CommandRun.CHAIN.replace("256", "128"));
    Path trace = folder.resolve("p.trace.json");

    CommandRun wrong = CommandRun.of("convert", plan, "-o", trace, "--program", other);

    assertThat(wrong.exitCode()).isEqualTo(3);
    assertThat(wrong.errorLines()).hasSize(1);
    assertThat(wrong.errors()).contains("p.pb: the plan is for a program with SHA-256 ");
    assertThat(Files.exists(trace)).isFalse();
    assertThat(CommandRun.of("convert", plan, "-o", trace, "--program", input).errors()).isEmpty();
    assertThat(CommandRun.of("convert", plan, "-o", trace).errors())
        .isEqualTo("note: the trace has no operators, because the program is not at hand\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "in.pdmodel  | p.h          |           | is a program, which has no form 'header'",
        "in.pdmodel  | p.csv        |           | is a program, which has no form 'csv'",
        "in.pdmodel  | p.pb         | --program in.pdmodel | is a program",
        "in.pdmodel  | p.pb         | --to tflm | is a program, which has no form 'tflm'",
        "p.pb        | p.tflm       |           | which tensor has which index follows from the program: name it with --program",
        "planned.csv | p.pb         |           | is a table of buffers, which has no form 'binary'",
        "planned.csv | p.h          | --program in.pdmodel | is a table of buffers",
        "p.tflm.json | p.trace.json |           | is an OfflineMemoryAllocation, which has no form 'trace'",
      })
  void whatThereIsNoFormOf_isAWrongCommandLine(String in, String out, String option, String message)
      throws IOException {
    CommandRun.of("plan", input, "-o", folder.resolve("p.pb"));
    CommandRun.of("plan", input, "-o", folder.resolve("p.tflm.json"));
    Path table = Files.writeString(folder.resolve("t.csv"), "id,lower,upper,size\na,0,1,8\n");
    CommandRun.of("plan", table, "-o", folder.resolve("planned.csv"));
    List<Object> arguments =
        new ArrayList<>(List.of("convert", folder.resolve(in), "-o", folder.resolve("new-" + out)));
    if (option != null) {
      arguments.addAll(List.of(option.replace("in.pdmodel", input.toString()).split(" ")));
    }

    CommandRun run = CommandRun.of(arguments.toArray());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.errors().strip()).endsWith(message);
    assertThat(Files.exists(folder.resolve("new-" + out))).isFalse();
  }

  @Test
  void aTableWithoutOffsets_orWithLateTimes_cannotBeConverted() throws IOException {
    Path table = Files.writeString(folder.resolve("t.csv"), "id,lower,upper,size\na,0,1,8\n");
    Path late =
        Files.writeString(
            folder.resolve("late.csv"), "id,lower,upper,size,offset\na,0,2147483648,8,0\n");
    Path output = folder.resolve("t.h");

    assertThat(CommandRun.of("convert", table, "-o", output).errors())
        .isEqualTo(
            "error: " + table + ": 2:1: the buffer 'a' has no offset; 'plan' gives it one\n");
    CommandRun run = CommandRun.of("convert", late, "-o", output);
    assertThat(run.errors())
        .isEqualTo("error: " + late + ": 2:5: only times up to 2147483647 can be shown\n");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(Files.exists(output)).isFalse();
  }
}
