package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.golden.GoldenPrograms;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project in {@code testdata/examples/library}, compiled against this build and run as its
 * users would, and Sublet as a module; Maven itself is not asked.
 */
final class LibraryExampleTest {

  private static final Path PROJECT = Path.of("testdata", "examples", "library");
  private static final Path MAIN = PROJECT.resolve("src/main/java/example/Shrink.java");

  /** Calls the test of the example: JUnit's launcher is not on this class path. */
  private static final String RUNNER =
      """
      package example;

      final class Runner {
        public static void main(String[] args) {
          new ShrinkTest().programsAndPlans_areTheExpectedOnes();
        }
      }
      """;

  @TempDir private Path scratch;

  /** What a process printed and how it ended. */
  private record Run(int exitCode, String output) {}

  /** This run's class path, wherever a process is started. */
  private static ImmutableList<Path> classPath() {
    ImmutableList.Builder<Path> entries = ImmutableList.builder();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      entries.add(Path.of(entry).toAbsolutePath());
    }
    return entries.build();
  }

  private static String join(List<Path> paths) {
    return String.join(":", paths.stream().map(Path::toString).toList());
  }

  private static void compile(String... arguments) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int exitCode = ToolProvider.getSystemJavaCompiler().run(null, said, said, arguments);
    assertWithMessage(said.toString(UTF_8)).that(exitCode).isEqualTo(0);
  }

  private static Run java(Path folder, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), output);
  }

  /** The class path of the example, compiled together with {@link #RUNNER}. */
  private String compileExample() throws IOException {
    Path classes = Files.createDirectory(scratch.resolve("classes"));
    Path runner = Files.writeString(scratch.resolve("Runner.java"), RUNNER);
    Path test = PROJECT.resolve("src/test/java/example/ShrinkTest.java");
    String classPath = join(classPath());
    compile(
        "-Werror",
        "-d",
        classes.toString(),
        "-cp",
        classPath,
        MAIN.toString(),
        test.toString(),
        runner.toString());
    return classes + ":" + classPath;
  }

  @Test
  void example_shrinksAProgram() throws Exception {
    String classPath = compileExample();
    Path input = Path.of("testdata", "examples", "mobile_block", "program.textproto");
    Path program = scratch.resolve("small.pdmodel");
    Path plan = scratch.resolve("small.plan.json");

    Run run =
        java(
            Path.of("."),
            List.of(
                "-cp",
                classPath,
                "example.Shrink",
                input.toString(),
                program.toString(),
                plan.toString()));

    TranspileResult expected =
        Transpiler.transpile(ProgramReader.read(input), TranspileOptions.defaults());
    assertThat(run.output())
        .isEqualTo(expected.plan().arenaBytes() + " instead of " + expected.bytesBefore() + "\n");
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(ProgramReader.read(program).variableCount())
        .isEqualTo(expected.program().variableCount());
    assertThat(Verifier.checkedFor(ProgramReader.read(program), PlanReader.read(plan)))
        .isEqualTo(expected.plan());
  }

  /** The switch of this run is that of the example: one command updates all expected files. */
  @Test
  void testOfTheExample_passes() throws Exception {
    String update = System.getProperty(GoldenPrograms.UPDATE_SWITCH, "false");
    Run run =
        java(
            PROJECT,
            List.of(
                "-D" + GoldenPrograms.UPDATE_SWITCH + "=" + update,
                "-cp",
                compileExample(),
                "example.Runner"));
    assertWithMessage(run.output()).that(run.exitCode()).isEqualTo(0);
    try (Stream<Path> cases = Files.list(PROJECT.resolve("src/test/goldens"))) {
      assertThat(cases.count()).isAtLeast(2);
    }
  }

  @Test
  void page_showsTheExample_andNamesThePackages() throws IOException {
    String page = Files.readString(Path.of("docs", "library.md"));
    String source = Files.readString(MAIN);
    assertThat(page).contains("```java\n" + source.substring(source.indexOf("import ")) + "```\n");
    for (String name : JavadocTest.LIBRARY) {
      assertThat(page).contains("`" + name.replaceFirst("^dev\\.sublet\\.", ".") + "`");
    }
  }

  @Test
  void example_usesTheVersionOfThisBuild() throws IOException {
    Pattern version = Pattern.compile("<artifactId>sublet</artifactId>\\s*<version>([^<]*)<");
    Matcher own = version.matcher(Files.readString(Path.of("pom.xml")));
    Matcher used = version.matcher(Files.readString(PROJECT.resolve("pom.xml")));
    assertThat(own.find()).isTrue();
    assertThat(used.find()).isTrue();
    assertThat(used.group(1)).isEqualTo(own.group(1));
  }

  /** A named module that requires Sublet compiles and runs with the manifest of the pom. */
  @Test
  void namedModule_canRequireSublet() throws Exception {
    Path jars = Files.createDirectory(scratch.resolve("jars"));
    Path source = Files.createDirectories(scratch.resolve("user/example"));
    Path info =
        Files.writeString(
            source.resolveSibling("module-info.java"), "module user { requires dev.sublet; }\n");
    Files.copy(MAIN, source.resolve("Shrink.java"));
    String modules = join(modulePath(jars));
    Path classes = Files.createDirectory(scratch.resolve("user-classes"));
    compile(
        "-d",
        classes.toString(),
        "--module-path",
        modules,
        info.toString(),
        source.resolve("Shrink.java").toString());
    Path input = Path.of("testdata", "examples", "mobile_block", "program.textproto");

    Run run =
        java(
            Path.of("."),
            List.of(
                "--module-path",
                classes + ":" + modules,
                "--add-modules",
                "ALL-MODULE-PATH",
                "--module",
                "user/example.Shrink",
                input.toString(),
                scratch.resolve("out.pdmodel").toString(),
                scratch.resolve("plan.json").toString()));

    assertThat(run.output()).containsMatch("^[0-9]+ instead of [0-9]+\n$");
    assertThat(run.exitCode()).isEqualTo(0);
  }

  /** The main classes as a jar, and the libraries that they need. */
  private static List<Path> modulePath(Path folder) throws Exception {
    List<Path> modules = new ArrayList<>();
    Path classes =
        Path.of(Transpiler.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    modules.add(jar(classes, folder.resolve("sublet.jar")));
    Pattern needed =
        Pattern.compile(
            "(protobuf-java|guava|failureaccess|gson|commons-numbers|jspecify"
                + "|error_prone_annotations).*\\.jar");
    for (Path entry : classPath()) {
      if (needed.matcher(entry.getFileName().toString()).lookingAt()) {
        modules.add(entry);
      }
    }
    return modules;
  }

  private static Path jar(Path classes, Path jar) throws IOException {
    Matcher name =
        Pattern.compile("<Automatic-Module-Name>([^<]*)</Automatic-Module-Name>")
            .matcher(Files.readString(Path.of("pom.xml")));
    assertThat(name.find()).isTrue();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", name.group(1));
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
