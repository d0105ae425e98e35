package dev.sublet.codec.program;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Programs that real versions of Paddle wrote come back as they are. */
class CorpusRoundTripTest {

  private static ImmutableList<Path> folders() throws IOException {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "skipped: SUBLET_CORPUS does not name the corpus folder");
    try (Stream<Path> folders = Files.list(Path.of(corpus, "paddle"))) {
      return folders.sorted().collect(toImmutableList());
    }
  }

  @Test
  void everyProgramIsKeptByteForByteAndItsTextFormsAreEqual() throws IOException {
    ImmutableList<Path> folders = folders();
    assertThat(folders).hasSize(10);
    for (Path folder : folders) {
      Path file = folder.resolve("program.pdmodel");
      Program program = ProgramReader.read(folder);
      DiagnosticLog log = new DiagnosticLog();
      assertWithMessage("%s as binary", file)
          .that(ProgramWriter.toBytes(program, ProgramFormat.BINARY, log))
          .isEqualTo(Files.readAllBytes(file));
      for (ProgramFormat format : ImmutableList.of(ProgramFormat.TEXT, ProgramFormat.JSON)) {
        byte[] text = ProgramWriter.toBytes(program, format, log);
        Program read = ProgramReader.parse(text, file.toString());
        assertWithMessage("%s as %s", file, format)
            .that(read.toMessage().toByteString())
            .isEqualTo(program.toMessage().toByteString());
      }
      assertThat(log.diagnostics()).isEmpty();
    }
  }
}
