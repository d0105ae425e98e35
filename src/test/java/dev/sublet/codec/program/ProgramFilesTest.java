package dev.sublet.codec.program;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.diag.ProgramException;
import dev.sublet.testing.UnusualProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which file is read, and in which form one is written. */
class ProgramFilesTest {

  @TempDir private Path directory;

  private Path write(String name) throws IOException {
    return Files.write(directory.resolve(name), UnusualProgram.plain().build().toByteArray());
  }

  private static String failure(Path path) {
    ProgramException e = assertThrows(ProgramException.class, () -> ProgramReader.read(path));
    assertThat(e.exitCode()).isEqualTo(3);
    assertThat(e.diagnostics().get(0).location().file()).isEqualTo(path.toString());
    return e.diagnostics().get(0).message();
  }

  @Test
  void theExtensionDoesNotMatter() throws IOException {
    ReadProgram read = ProgramReader.readWithFormat(write("program.json"));
    assertThat(read.format()).isEqualTo(ProgramFormat.BINARY);
    assertThat(read.program().operationCount()).isEqualTo(2);
    assertThat(read.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"__model__", "m.pdmodel"})
  void aDirectoryStandsForTheOneProgramInIt(String name) throws IOException {
    write(name);
    Files.writeString(directory.resolve("m.pdiparams"), "");
    Files.createDirectory(directory.resolve("old.pdmodel"));
    assertThat(ProgramReader.read(directory).operationCount()).isEqualTo(2);
  }

  @Test
  void aDirectoryWithSeveralProgramsIsAmbiguous() throws IOException {
    write("b.pdmodel");
    write("a.pdmodel");
    write("__model__");
    assertThat(failure(directory))
        .isEqualTo(
            "the directory holds several programs, name one: __model__, a.pdmodel, b.pdmodel");
  }

  @Test
  void aLinkThatLeadsOutOfTheDirectory_isNotFollowed() throws IOException {
    write("m.pdmodel");
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Path link = Files.createSymbolicLink(inner.resolve("__model__"), Path.of("../m.pdmodel"));
    assertThat(failure(inner))
        .isEqualTo("'__model__' is a link that leads out of the directory; name the file itself");
    assertThat(ProgramReader.read(link).operationCount()).isEqualTo(2);

    Files.move(directory.resolve("m.pdmodel"), inner.resolve("data"));
    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("../inner/data"));
    assertThat(ProgramReader.read(inner).operationCount()).isEqualTo(2);
  }

  @Test
  void aDirectoryWithoutProgram() {
    assertThat(failure(directory))
        .isEqualTo("the directory holds no __model__, no .pdmodel and no .onnx file");
  }

  @Test
  void aMissingFile() {
    assertThat(failure(directory.resolve("none.pdmodel"))).isEqualTo("no such file");
  }

  @Test
  void aDirectoryIsNoPlan() {
    ProgramException e = assertThrows(ProgramException.class, () -> PlanReader.read(directory));
    assertThat(e).hasMessageThat().isEqualTo(directory + ": is a directory");
  }

  @ParameterizedTest
  @CsvSource({
    "m.pdmodel, BINARY, BINARY",
    "__model__, BINARY, BINARY",
    "m.json/x, BINARY, BINARY",
    "m.JSON, JSON, JSON",
    "m.textproto, TEXT, TEXT",
    "m.pbtxt, TEXT, TEXT",
    "m.prototxt, TEXT, TEXT",
    "m.txt, TEXT, TEXT",
    "m.csv, BINARY, CSV",
    "m.trace.json, JSON, TRACE",
    "trace.json, JSON, JSON",
    "m.tflm, BINARY, TFLM",
    "m.tflm.json, JSON, TFLM_JSON",
    "m.h, BINARY, HEADER",
    "m.HPP, BINARY, HEADER",
  })
  void theNameOfAnOutputDecidesItsForm(String name, ProgramFormat program, PlanFormat plan) {
    assertThat(ProgramFormat.ofFileName(Path.of(name))).isEqualTo(program);
    assertThat(PlanFormat.ofFileName(Path.of(name))).isEqualTo(plan);
  }
}
