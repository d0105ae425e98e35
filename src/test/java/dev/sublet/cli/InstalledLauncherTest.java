package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher of the archives, with Javas that only print how they were called. {@code mvn -Pdist
 * verify} tries the archives themselves.
 */
class InstalledLauncherTest {

  @TempDir private Path folder;
  private Path home;
  private Path launcher;

  @BeforeEach
  void install() throws Exception {
    home = Files.createDirectories(folder.resolve("an installation"));
    Process made = new ProcessBuilder("sh", "src/dist/launcher.sh", ".").start();
    String text = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(made.waitFor()).isEqualTo(0);
    launcher = home.resolve("bin/sublet");
    script(launcher, text);
    tool("dirname");
    tool("readlink");
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void tool(String name) throws IOException {
    script(
        folder.resolve("tools").resolve(name),
        "#!/bin/sh\nPATH='%s'\nexec %s \"$@\"\n".formatted(System.getenv("PATH"), name));
  }

  /** Makes a Java that prints its name, and the arguments after the options. */
  private void java(Path file, String name) throws IOException {
    script(
        file,
        """
        #!/bin/sh
        while case $1 in -jar|-m) false ;; esac do shift; done
        echo "%s: $*"
        """
            .formatted(name));
  }

  private String launch(Path file, String javaHome, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(file.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", folder.resolve("tools").toString());
    builder.environment().put("JAVA_HOME", javaHome);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + output.strip();
  }

  private String jar() throws IOException {
    return home.toRealPath().resolve("lib/sublet.jar").toString();
  }

  @Test
  void nothingOfTheBuildIsLeft() throws IOException {
    assertThat(Files.readString(launcher)).doesNotContain("mvn");
    assertThat(Files.readString(launcher)).doesNotContain("target");
    assertThat(Files.readString(launcher)).doesNotContain("#---");
  }

  @Test
  void java_isFoundOnThePath() throws Exception {
    java(folder.resolve("tools/java"), "path");

    assertThat(launch(launcher, "", "plan", "a b"))
        .isEqualTo("0 path: -jar " + jar() + " plan a b");
  }

  @Test
  void javaHome_isPreferred() throws Exception {
    java(folder.resolve("tools/java"), "path");
    java(folder.resolve("jdk/bin/java"), "home");

    assertThat(launch(launcher, folder.resolve("jdk").toString()))
        .isEqualTo("0 home: -jar " + jar());
  }

  @Test
  void itsOwnRuntime_needsNoOtherJava() throws Exception {
    java(home.resolve("runtime/bin/java"), "own");
    java(folder.resolve("jdk/bin/java"), "home");

    assertThat(launch(launcher, folder.resolve("jdk").toString(), "ops"))
        .isEqualTo("0 own: -m dev.sublet/dev.sublet.cli.Main ops");
  }

  @Test
  void symbolicLinks_areFollowed() throws Exception {
    java(folder.resolve("tools/java"), "path");
    Path link = Files.createSymbolicLink(folder.resolve("relative"), Path.of("an installation"));
    Path second = Files.createSymbolicLink(folder.resolve("link"), link.resolve("bin/sublet"));

    assertThat(launch(second, "")).isEqualTo("0 path: -jar " + jar());
  }

  @Test
  void aMissingJava_isNamed() throws Exception {
    assertThat(launch(launcher, ""))
        .isEqualTo(
            "70 sublet: there is no Java: set JAVA_HOME, or put java on the path, 17 or later");
  }
}
