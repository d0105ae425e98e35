package dev.sublet.codec.file;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All outputs or none. */
class OutputFilesTest {

  private static final byte[] NEW = "new".getBytes(UTF_8);

  @TempDir private Path directory;

  private ImmutableList<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .sorted()
          .collect(ImmutableList.toImmutableList());
    }
  }

  private static String failure(OutputFiles outputs, Path file) {
    ProgramException e = assertThrows(ProgramException.class, () -> outputs.stage(file, NEW));
    assertThat(e.exitCode()).isEqualTo(2);
    assertThat(e.diagnostics().get(0).location().file()).isEqualTo(file.toString());
    return e.diagnostics().get(0).message();
  }

  @Test
  void nothingChangesBeforeTheCommit() throws IOException {
    Path existing = Files.writeString(directory.resolve("a"), "old");
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(existing, NEW);
      outputs.stage(directory.resolve("b"), NEW);
      assertThat(Files.readString(existing)).isEqualTo("old");
      assertThat(names()).doesNotContain("b");
    }
    assertThat(Files.readString(existing)).isEqualTo("old");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void theCommitWritesAllAndLeavesNothingElse() throws IOException {
    Path existing = Files.writeString(directory.resolve("a"), "old");
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(existing, NEW);
      outputs.stage(directory.resolve("b"), NEW);
      outputs.commit();
    }
    assertThat(Files.readString(existing)).isEqualTo("new");
    assertThat(names()).containsExactly("a", "b").inOrder();
  }

  @Test
  void aNewDirectoryStaysAfterTheCommit() throws IOException {
    Path created = directory.resolve("new");
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stageDirectory(created);
      outputs.stage(created.resolve("a"), NEW);
      outputs.commit();
    }
    assertThat(Files.readString(created.resolve("a"))).isEqualTo("new");
  }

  @Test
  void aNewDirectoryGoesWithoutTheCommit() throws IOException {
    stageIn(directory.resolve("new"));
    assertThat(names()).isEmpty();
  }

  @Test
  void aDirectoryThatExistsStaysInAnyCase() throws IOException {
    Path existing = Files.createDirectory(directory.resolve("old"));
    stageIn(existing);
    assertThat(names()).containsExactly("old");
  }

  @Test
  void aLinkToNoDirectoryIsNone() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("none"));
    ProgramException e = assertThrows(ProgramException.class, () -> stageIn(link));
    assertThat(e).hasMessageThat().contains("is no directory, perhaps a link to none");
    assertThat(names()).containsExactly("link");
  }

  /** Stages a file in a directory, and commits nothing. */
  private static void stageIn(Path folder) {
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stageDirectory(folder);
      outputs.stage(folder.resolve("a"), NEW);
    }
  }

  @Test
  void aFailingCommitRestoresWhatWasReplaced() throws IOException {
    Path existing = Files.writeString(directory.resolve("a"), "old");
    Path missing = directory.resolve("b");
    Path last = directory.resolve("c");
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(existing, NEW);
      outputs.stage(missing, NEW);
      outputs.stage(last, NEW);
      // Someone puts a directory, which no file can replace, where the last target is to be.
      Files.createDirectory(last);
      ProgramException e = assertThrows(ProgramException.class, outputs::commit);
      assertThat(e).hasMessageThat().startsWith(last + ": cannot be written: ");
    }
    assertThat(Files.readString(existing)).isEqualTo("old");
    assertThat(names()).containsExactly("a", "c");
  }

  @Test
  void targetsThatCannotBeFilesAreRefusedAtOnce() throws IOException {
    Path target = directory.resolve("a");
    Path nowhere = directory.resolve("none").resolve("a");
    try (OutputFiles outputs = new OutputFiles()) {
      assertThat(failure(outputs, directory)).isEqualTo("is a directory; name a file");
      assertThat(failure(outputs, nowhere))
          .isEqualTo("the directory " + nowhere.getParent() + " does not exist");
      Path file = Files.writeString(directory.resolve("file"), "old");
      String noDirectory = file + " is a file, not a directory";
      assertThat(failure(outputs, file.resolve("a"))).isEqualTo(noDirectory);
      assertThat(failure(outputs, file.resolve("b/c"))).isEqualTo(noDirectory);
      Files.delete(file);
      outputs.stage(target, NEW);
      assertThat(failure(outputs, directory.resolve("./a")))
          .isEqualTo("two outputs go to this file");
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path existing = Files.writeString(directory.resolve("a"), "old");
    Path link = Files.createSymbolicLink(directory.resolve("link"), existing);
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(link, NEW);
      outputs.commit();
    }
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readString(existing)).isEqualTo("new");
  }

  @Test
  void aLinkToAFileThatIsNotThereYet_isWrittenThrough() throws IOException {
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Path first = Files.createSymbolicLink(directory.resolve("first"), Path.of("inner/second"));
    Path second = Files.createSymbolicLink(inner.resolve("second"), Path.of("../a"));
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(first, NEW);
      outputs.commit();
    }
    assertThat(Files.readSymbolicLink(first)).isEqualTo(Path.of("inner/second"));
    assertThat(Files.readSymbolicLink(second)).isEqualTo(Path.of("../a"));
    assertThat(Files.isSymbolicLink(directory.resolve("a"))).isFalse();
    assertThat(Files.readString(directory.resolve("a"))).isEqualTo("new");
    assertThat(names()).containsExactly("a", "first", "inner");
  }

  @Test
  void linksThatLeadNowhereAreRefused() throws IOException {
    Path circle = Files.createSymbolicLink(directory.resolve("circle"), Path.of("circle"));
    Path nowhere = Files.createSymbolicLink(directory.resolve("nowhere"), Path.of("none/a"));
    try (OutputFiles outputs = new OutputFiles()) {
      assertThat(failure(outputs, circle))
          .isEqualTo("cannot be written: too many levels of symbolic links");
      assertThat(failure(outputs, nowhere))
          .isEqualTo("the directory " + directory.toRealPath().resolve("none") + " does not exist");
    }
    assertThat(names()).containsExactly("circle", "nowhere");
  }

  /** The file x, and other names of it: before it exists, and after. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoNamesOfOneFileAreRefused(boolean exists) throws IOException {
    Path file = directory.resolve("x");
    List<Path> others =
        new ArrayList<>(
            List.of(
                directory.resolve("./x"),
                directory.resolve("folder/../x"),
                Files.createSymbolicLink(directory.resolve("link"), Path.of("x")),
                directory.resolve("folder/up/x")));
    Files.createDirectory(directory.resolve("folder"));
    Files.createSymbolicLink(directory.resolve("folder/up"), Path.of(".."));
    if (exists) {
      Files.writeString(file, "old");
      others.add(Files.createLink(directory.resolve("hard"), file));
    }
    for (Path other : others) {
      try (OutputFiles outputs = new OutputFiles()) {
        outputs.stage(file, NEW);
        assertThat(failure(outputs, other)).isEqualTo("two outputs go to this file");
      }
      ProgramException e =
          assertThrows(ProgramException.class, () -> OutputFiles.check(List.of(other, file)));
      assertThat(e).hasMessageThat().isEqualTo(file + ": two outputs go to this file");
    }
    assertThat(Files.exists(file)).isEqualTo(exists);
  }

  /** As it is with a and A where a file system takes them for one. */
  @Test
  void twoNamesThatTurnOutToBeOneFileAreRefused() throws IOException {
    Path file = directory.resolve("a");
    Path other = directory.resolve("b");
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(file, NEW);
      outputs.stage(other, NEW);
      Files.createSymbolicLink(other, file);
      ProgramException e = assertThrows(ProgramException.class, outputs::commit);
      assertThat(e).hasMessageThat().isEqualTo(other + ": two outputs go to this file");
    }
    assertThat(names()).containsExactly("b");
  }

  @Test
  void permissionsStay() throws IOException {
    assumeTrue(Files.getFileStore(directory).supportsFileAttributeView("posix"));
    Path existing = Files.writeString(directory.resolve("a"), "old");
    Files.setPosixFilePermissions(existing, PosixFilePermissions.fromString("rw-r-----"));
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(existing, NEW);
      outputs.commit();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(existing)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void aDeviceIsWrittenToAndNotReplaced() throws IOException {
    Path device = Path.of("/dev/null");
    assumeTrue(Files.exists(device));
    try (OutputFiles outputs = new OutputFiles()) {
      outputs.stage(device, NEW);
      outputs.stage(directory.resolve("a"), NEW);
      outputs.commit();
    }
    assertThat(Files.isRegularFile(device)).isFalse();
    assertThat(names()).containsExactly("a");
  }
}
