package dev.sublet.python;

import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import dev.sublet.cli.Main;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each file of Python tests with the classes of this build: as a launcher, and as a jar that
 * names them as its class path. {@code mvn -Pdist verify} runs all files with the installed Sublet.
 */
class PythonPackageTest {

  private static final Path TESTS = Path.of("src", "test", "python");

  /** Files that start Sublet dozens of times, which takes a minute and a half without its jar. */
  private static final ImmutableSet<String> IN_DIST =
      ImmutableSet.of("test_process.py", "test_verbs.py");

  @TempDir private static Path folder;

  @BeforeAll
  static void makeSublet() throws IOException, InterruptedException {
    assumeTrue(hasPython(), "skipped: there is no python3 of version 3.8 or later");
    Path launcher = folder.resolve("sublet");
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec '%s/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s \"$@\"\n"
            .formatted(
                System.getProperty("java.home"),
                String.join(File.pathSeparator, classPath()),
                Main.class.getCanonicalName()));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    makeJar(folder.resolve("test.jar"));
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      String check = "import sys; sys.exit(sys.version_info < (3, 8))";
      return new ProcessBuilder("python3", "-c", check).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** The class path of this process, in which paths may be relative to another folder. */
  private static List<String> classPath() {
    List<String> paths = new ArrayList<>();
    for (String path :
        Splitter.on(File.pathSeparatorChar).split(System.getProperty("java.class.path"))) {
      paths.add(Path.of(path).toAbsolutePath().toString());
    }
    return paths;
  }

  private static void makeJar(Path jar) throws IOException {
    List<String> uris = new ArrayList<>();
    for (String path : classPath()) {
      uris.add(Path.of(path).toUri().toString());
    }
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Main.class.getCanonicalName());
    attributes.put(Attributes.Name.CLASS_PATH, String.join(" ", uris));
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream archive = new JarOutputStream(out, manifest)) {
      archive.finish();
    }
  }

  private static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(TESTS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("test_"))
          .filter(name -> !IN_DIST.contains(name))
          .sorted()
          .toList();
    }
  }

  @Test
  void theTestsAreFound() throws IOException {
    assertWithMessage("%s", TESTS).that(files()).contains("test_errors.py");
  }

  @ParameterizedTest
  @MethodSource("files")
  void theTestsInPython_pass(String file) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-W", "error", "-m", "unittest", "discover", "-p", file)
            .directory(TESTS.toFile())
            .redirectErrorStream(true);
    builder.environment().put("SUBLET", folder.resolve("sublet").toString());
    builder.environment().put("SUBLET_TEST_JAR", folder.resolve("test.jar").toString());
    builder.environment().put("PYTHONPATH", Path.of("src/main/python").toAbsolutePath().toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");

    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertWithMessage(output).that(process.waitFor()).isEqualTo(0);
    assertWithMessage(output).that(output).containsMatch("\nRan [1-9]");
  }
}
