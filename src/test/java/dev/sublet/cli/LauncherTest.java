package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
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

  private static final String FIRST_BUILD =
      "sublet: building target/sublet-all.jar; takes about a minute, and Maven may download up to"
          + " 45 MB\n";

  private static final String FAILED =
      "sublet: the build failed, see above; Maven's whole output is in target/sublet.log\n";

  @TempDir private Path folder;
  private Path project;
  private Path calls;
  private String path;

  @BeforeEach
  void makeProject() throws IOException {
    project = Files.createDirectories(folder.resolve("a project"));
    calls = folder.resolve("calls");
    path = folder.resolve("bin") + ":" + System.getenv("PATH");
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
        sleep "${BUILD_SECONDS:-0}"
        : >target/sublet-all.jar && echo built
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
    ProcessBuilder builder = prepare(command, variables);
    Process process = builder.redirectInput(input.toFile()).redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Launch(process.waitFor(), output, Files.readString(errors));
  }

  private ProcessBuilder prepare(List<String> command, Map<String, String> variables) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("SUBLET_JAVA_OPTS");
    builder.environment().remove("MAVEN_OPTS");
    builder.environment().put("PATH", path);
    builder.environment().putAll(variables);
    return builder;
  }

  private List<String> calls() throws IOException {
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  @Test
  void aMissingJar_isBuilt_andTheArgumentsAndStandardInputArePassedOn() throws Exception {
    Launch launch = launch(project.resolve("sublet"), Map.of(), "optimize", "a file", "");

    assertThat(launch).isEqualTo(new Launch(0, "given\n", FIRST_BUILD));
    assertThat(calls())
        .containsExactly(
            "mvn in " + project.toRealPath(),
            "java [-XX:+IgnoreUnrecognizedVMOptions]",
            "java [--sun-misc-unsafe-memory-access=allow]",
            "java [-XX:+UnlockDiagnosticVMOptions]",
            "java [-XX:ArchiveRelocationMode=0]",
            "java [-XX:+UseSerialGC]",
            "java [-Xshare:auto]",
            "java [-XX:-UsePerfData]",
            "java [-XX:TieredStopAtLevel=1]",
            "java [-XX:Tier3BackEdgeThreshold=5000]",
            "java [-Dsun.reflect.inflationThreshold=1000]",
            "java [-Dsublet.terminals=]",
            "java [-Xlog:disable]",
            "java [-Xlog:all=error:stderr]",
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
    Launch again = launch(project.resolve("sublet"), Map.of());
    assertThat(builds()).isEqualTo(2);
    assertThat(again.errors())
        .isEqualTo(
            "sublet: building target/sublet-all.jar again, for its sources have changed; takes"
                + " about half a minute\n");
    assertThat(launch(project.resolve("sublet"), Map.of()).errors()).isEmpty();
  }

  @Test
  void twoLaunchesAtOnce_buildOnce() throws Exception {
    Process first = start(Map.of("BUILD_SECONDS", "2"), folder.resolve("first"));
    while (!Files.exists(project.resolve("target/sublet.building"))) {
      Thread.sleep(10);
    }
    Process second = start(Map.of(), folder.resolve("second"));

    assertThat(first.waitFor()).isEqualTo(0);
    assertThat(second.waitFor()).isEqualTo(0);
    assertThat(builds()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("first"))).isEqualTo(FIRST_BUILD);
    assertThat(Files.readString(folder.resolve("second")))
        .isEqualTo("sublet: waiting for the build of another process\n");
  }

  @Test
  void withoutFlock_aFolderIsTheLock() throws Exception {
    hide("flock");
    Process first = start(Map.of("BUILD_SECONDS", "2"), folder.resolve("first"));
    while (!Files.exists(project.resolve("target/sublet.building"))) {
      Thread.sleep(10);
    }
    Process second = start(Map.of(), folder.resolve("second"));

    assertThat(first.waitFor()).isEqualTo(0);
    assertThat(second.waitFor()).isEqualTo(0);
    assertThat(builds()).isEqualTo(1);
    Path lock = project.toRealPath().resolve("target/sublet.locked");
    assertThat(Files.readString(folder.resolve("second")))
        .isEqualTo(
            "sublet: waiting for the build of another process; if there is none, remove "
                + lock
                + "\n");
    assertThat(Files.exists(lock)).isFalse();
  }

  /** The jar of an interrupted build may be half of one. */
  @Test
  void anInterruptedBuild_isDoneAgain() throws Exception {
    launch(project.resolve("sublet"), Map.of());
    Files.createFile(project.resolve("target/sublet.building"));

    launch(project.resolve("sublet"), Map.of());
    launch(project.resolve("sublet"), Map.of());

    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void aMissingMaven_isNamed() throws Exception {
    hide("mvn");

    Launch launch = launch(project.resolve("sublet"), Map.of());

    assertThat(launch)
        .isEqualTo(
            new Launch(
                70, "", "sublet: Maven (mvn) is not on the path; it is needed to build Sublet\n"));
  }

  /** What Maven is at is shown on a terminal, and taken away again. */
  @Test
  void progress_isShownOnATerminal() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "skipped: there is no script");
    script(
        folder.resolve("bin/mvn"),
        """
        #!/bin/sh
        echo 'Downloaded from central: a.jar'
        echo 'Downloaded from central: b.jar'
        echo '[INFO] --- maven-compiler-plugin:3.14.1:compile (default-compile) @ sublet ---'
        : >target/sublet-all.jar
        """);
    String command = "'" + project.resolve("sublet") + "' ops </dev/null";
    ProcessBuilder builder =
        prepare(List.of("/usr/bin/script", "-qec", command, "/dev/null"), Map.of());

    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isEqualTo(0);
    assertThat(output.replace("\r\n", "\n"))
        .isEqualTo(
            FIRST_BUILD
                + "\r\u001b[Ksublet: downloading, 1 files"
                + "\r\u001b[Ksublet: downloading, 2 files"
                + "\r\u001b[Ksublet: compiling"
                + "\r\u001b[K");
  }

  private Process start(Map<String, String> variables, Path errors) throws IOException {
    return prepare(List.of(project.resolve("sublet").toString()), variables)
        .redirectError(errors.toFile())
        .start();
  }

  /** Leaves on the path what the launcher calls, but for one command. */
  private void hide(String hidden) throws IOException {
    Files.deleteIfExists(folder.resolve("bin").resolve(hidden));
    for (String tool :
        Splitter.on(' ').split("cat dirname find flock grep head mkdir rm rmdir sleep tee")) {
      if (!tool.equals(hidden)) {
        script(
            folder.resolve("bin").resolve(tool),
            "#!/bin/sh\nPATH='%s'\nexec %s \"$@\"\n".formatted(System.getenv("PATH"), tool));
      }
    }
    path = folder.resolve("bin").toString();
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

    assertThat(launch).isEqualTo(new Launch(70, "", FIRST_BUILD + "broken\n" + FAILED));
    assertThat(calls()).isEmpty();
  }

  @Test
  void ofAFailedBuild_theErrorsAreShown() throws Exception {
    script(
        folder.resolve("bin/mvn"),
        "#!/bin/sh\necho '[INFO] Scanning'\necho '[ERROR] no such host'\nexit 1\n");

    Launch launch = launch(project.resolve("sublet"), Map.of());

    assertThat(launch.errors()).isEqualTo(FIRST_BUILD + "[ERROR] no such host\n" + FAILED);
    assertThat(Files.readString(project.resolve("target/sublet.log"))).contains("Scanning");
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
  void aLargeInput_getsALargeHeap() throws Exception {
    Path model = Files.createDirectories(folder.resolve("a model"));
    Files.write(model.resolve("large"), new byte[3 << 20]);
    Files.write(model.resolve("small"), new byte[1 << 20]);
    String heap = "java [-XX:InitialRAMPercentage=12.5]";

    launch(project.resolve("sublet"), Map.of(), "plan", model.resolve("small").toString());
    assertThat(calls()).doesNotContain(heap);

    launch(project.resolve("sublet"), Map.of(), "plan", "-delete", "-", model + "/large");
    assertThat(calls()).containsAtLeast(heap, "java [-Xmn64m]");
    assertThat(Files.exists(model.resolve("large"))).isTrue();
  }

  @Test
  void aFolderWithALargeFile_getsALargeHeap() throws Exception {
    Path model = Files.createDirectories(folder.resolve("a model"));
    Files.write(model.resolve("large"), new byte[3 << 20]);

    launch(project.resolve("sublet"), Map.of(), "plan", model.toString());

    assertThat(calls()).contains("java [-XX:InitialRAMPercentage=12.5]");
  }

  /** As far as the machine that runs the test offers large pages. */
  @Test
  void aLargeInput_getsLargePages() throws Exception {
    Path large = Files.write(folder.resolve("large"), new byte[3 << 20]);
    Path offer = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    boolean offered = Files.exists(offer) && !Files.readString(offer).contains("[never]");
    String pages = "java [-XX:+UseTransparentHugePages]";

    launch(project.resolve("sublet"), Map.of(), "plan", "small");
    assertThat(calls()).doesNotContain(pages);

    launch(project.resolve("sublet"), Map.of(), "plan", large.toString());
    assertThat(calls().contains(pages)).isEqualTo(offered);
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
