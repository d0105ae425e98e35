package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell script, with a Maven and a Java that only write down that they were called. */
class LauncherTest {

  @TempDir private Path folder;
  private Path project;
  private Path calls;

  @BeforeEach
  void makeProject() throws IOException {
    project = Files.createDirectories(folder.resolve("a project"));
    calls = folder.resolve("calls");
    Files.createDirectories(project.resolve("proto"));
    Files.createDirectories(project.resolve("src/main"));
    Files.writeString(project.resolve("pom.xml"), "");
    script(project.resolve("sublet"), Files.readString(Path.of("sublet")));
    Path tools = Files.createDirectories(folder.resolve("bin"));
    script(
        tools.resolve("mvn"),
        """
        #!/bin/sh
        echo "mvn in $PWD" >>'%s'
        mkdir -p target && : >target/sublet-all.jar && echo built
        cat
        """
            .formatted(calls));
    script(
        tools.resolve("java"),
        """
        #!/bin/sh
        for argument; do echo "java [$argument]" >>'%s'; done
        cat
        """
            .formatted(calls));
    age(10);
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Makes all sources so many minutes old. */
  private void age(int minutes) throws IOException {
    FileTime time = FileTime.from(Instant.now().minusSeconds(60L * minutes));
    for (String source : List.of("pom.xml", "proto", "src/main")) {
      Files.setLastModifiedTime(project.resolve(source), time);
    }
  }

  /** What a launch did. */
  private record Launch(int exitCode, String output, String errors) {}

  private Launch launch(Path script, Map<String, String> variables, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Path input = Files.writeString(folder.resolve("stdin"), "given\n");
    Path errors = folder.resolve("stderr");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.redirectInput(input.toFile()).redirectError(errors.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("SUBLET_JAVA_OPTS");
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().putAll(variables);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Launch(process.waitFor(), output, Files.readString(errors));
  }

  private List<String> calls() throws IOException {
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  @Test
  void aMissingJar_isBuilt_andTheArgumentsAndStandardInputArePassedOn() throws Exception {
    Launch launch = launch(project.resolve("sublet"), Map.of(), "optimize", "a file", "");

    assertThat(launch).isEqualTo(new Launch(0, "given\n", ""));
    assertThat(calls())
        .containsExactly(
            "mvn in " + project.toRealPath(),
            "java [-XX:+UseSerialGC]",
            "java [-Xshare:auto]",
            "java [-XX:-UsePerfData]",
            "java [-XX:TieredStopAtLevel=1]",
            "java [-Dsun.reflect.inflationThreshold=1000]",
            "java [-Dsublet.terminals=]",
            "java [-jar]",
            "java [" + project.toRealPath().resolve("target/sublet-all.jar") + "]",
            "java [optimize]",
            "java [a file]",
            "java []")
        .inOrder();
  }

  @Test
  void aJarIsBuiltAgain_onlyIfASourceIsNewer() throws Exception {
    launch(project.resolve("sublet"), Map.of());
    launch(project.resolve("sublet"), Map.of());
    assertThat(builds()).isEqualTo(1);

    for (String file : List.of("target/sublet-all.jar", "target/sublet.built")) {
      Files.setLastModifiedTime(
          project.resolve(file), FileTime.from(Instant.now().minusSeconds(60 * 5)));
    }
    launch(project.resolve("sublet"), Map.of());
    assertThat(builds()).isEqualTo(1);

    Files.writeString(project.resolve("src/main/New.java"), "");
    launch(project.resolve("sublet"), Map.of());
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void theArchiveOfClasses_isUsedWhereThereIsOne() throws Exception {
    launch(project.resolve("sublet"), Map.of());
    assertThat(String.join("\n", calls())).doesNotContain("SharedArchiveFile");

    Path archive = Files.writeString(project.resolve("target/sublet.jsa"), "");
    launch(project.resolve("sublet"), Map.of(), "ops");

    assertThat(calls())
        .containsAtLeast(
            "java [-XX:SharedArchiveFile=" + archive.toRealPath() + "]",
            "java [-Xlog:disable]",
            "java [-jar]",
            "java [ops]")
        .inOrder();
  }

  /** Java ignores an archive that was made of another jar, or of one that was touched since. */
  @Test
  void theJarIsLeftAsItWasBuilt() throws Exception {
    launch(project.resolve("sublet"), Map.of());
    FileTime built = Files.getLastModifiedTime(project.resolve("target/sublet-all.jar"));
    Files.writeString(project.resolve("src/main/New.java"), "");
    script(folder.resolve("bin/mvn"), "#!/bin/sh\n: maven finds nothing to do\n");

    launch(project.resolve("sublet"), Map.of());
    launch(project.resolve("sublet"), Map.of());

    assertThat(Files.getLastModifiedTime(project.resolve("target/sublet-all.jar")))
        .isEqualTo(built);
  }

  private long builds() throws IOException {
    return calls().stream().filter(call -> call.startsWith("mvn ")).count();
  }

  @Test
  void aFailedBuild_isShownOnStandardError() throws Exception {
    script(folder.resolve("bin/mvn"), "#!/bin/sh\necho broken\nexit 1\n");

    Launch launch = launch(project.resolve("sublet"), Map.of());

    assertThat(launch)
        .isEqualTo(new Launch(70, "", "broken\nsublet: the build failed, see above\n"));
    assertThat(calls()).isEmpty();
  }

  @Test
  void symbolicLinks_areFollowed() throws Exception {
    Path links = Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(links.resolve("relative"), Path.of("../a project/sublet"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), links.resolve("relative"));

    assertThat(launch(link, Map.of()).exitCode()).isEqualTo(0);
    assertThat(calls()).contains("mvn in " + project.toRealPath());
  }

  @Test
  void optionsForJava_areTakenFromTheEnvironment() throws Exception {
    launch(project.resolve("sublet"), Map.of("SUBLET_JAVA_OPTS", "-Xmx8g -ea"), "ops");

    assertThat(calls()).containsAtLeast("java [-Xmx8g]", "java [-ea]", "java [-jar]").inOrder();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "micro"})
  void whatComputesTensors_isCompiledWithOptimizations(String verb) throws Exception {
    launch(project.resolve("sublet"), Map.of(), verb);

    assertThat(calls()).doesNotContain("java [-XX:TieredStopAtLevel=1]");
  }

  @Test
  void javaHome_isPreferred() throws Exception {
    Path home = folder.resolve("a home");
    Files.createDirectories(home.resolve("bin"));
    script(home.resolve("bin/java"), "#!/bin/sh\necho preferred\n");

    Launch launch = launch(project.resolve("sublet"), Map.of("JAVA_HOME", home.toString()));

    assertThat(launch.output()).isEqualTo("preferred\n");
  }
}
