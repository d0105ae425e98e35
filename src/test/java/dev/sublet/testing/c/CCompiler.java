package dev.sublet.testing.c;

import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A C compiler of this machine.
 *
 * @param name its command; empty if there is none
 */
public record CCompiler(String name) {

  private static final ImmutableList<String> FLAGS =
      ImmutableList.of(
          "-std=c99",
          "-Wall",
          "-Wextra",
          "-Wconversion",
          "-Wshadow",
          "-Werror",
          "-pedantic",
          "-ffp-contract=off");

  /** The first of the usual compilers. */
  public static CCompiler find() {
    for (String name : List.of("cc", "gcc", "clang")) {
      if (isInstalled(name)) {
        return new CCompiler(name);
      }
    }
    return new CCompiler("");
  }

  /** Whether the path of this machine has a command. */
  public static boolean isInstalled(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String directory : Splitter.on(File.pathSeparatorChar).split(path)) {
      if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, name))) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is a compiler. */
  public boolean isPresent() {
    return !name.isEmpty();
  }

  /**
   * Compiles sources in a folder to {@code program} there, with all warnings as errors. O1 unless
   * an option says otherwise.
   */
  public void build(Path folder, String... sourcesAndOptions) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(name);
    command.add("-O1");
    command.addAll(FLAGS);
    command.addAll(List.of(sourcesAndOptions));
    command.addAll(List.of("-o", "program", "-lm"));
    assertWithMessage("%s", command).that(run(folder, command)).isEmpty();
  }

  /** Returns what a command prints; fails if it ends with another code than 0. */
  public String run(Path folder, List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertWithMessage("%s: %s", command, printed).that(process.waitFor()).isEqualTo(0);
    return printed;
  }
}
