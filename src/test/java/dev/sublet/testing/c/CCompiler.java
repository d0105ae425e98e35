package dev.sublet.testing.c;

import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A C compiler, and the emulator that runs its programs if they are for another processor.
 *
 * @param name its command; empty if there is none
 * @param options options that it always gets
 * @param emulator the command of the emulator; empty for programs that this machine runs
 */
public record CCompiler(String name, ImmutableList<String> options, String emulator) {

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

  private static final ImmutableList<CCompiler> OTHERS =
      ImmutableList.of(
          new CCompiler("gcc", ImmutableList.of(), ""),
          new CCompiler("clang", ImmutableList.of(), ""),
          cross("arm-linux-gnueabihf-gcc", "qemu-arm", "-mfpu=neon"),
          cross("aarch64-linux-gnu-gcc", "qemu-aarch64"),
          cross("riscv64-linux-gnu-gcc", "qemu-riscv64"));

  private static CCompiler cross(String name, String emulator, String... options) {
    ImmutableList.Builder<String> all = ImmutableList.builder();
    return new CCompiler(name, all.add("-static").add(options).build(), emulator);
  }

  /** The compiler that {@code -Dsublet.cc} names, or the first of the usual ones. */
  public static CCompiler find() {
    String given = System.getProperty("sublet.cc", "");
    for (CCompiler other : OTHERS) {
      if (other.name.equals(given)) {
        return other;
      }
    }
    assertWithMessage("sublet.cc").that(given).isEmpty();
    for (String name : List.of("cc", "gcc", "clang")) {
      if (isInstalled(name)) {
        return new CCompiler(name, ImmutableList.of(), "");
      }
    }
    return new CCompiler("", ImmutableList.of(), "");
  }

  /** The compilers beside {@link #find} for which tests build C; some may be missing. */
  public static ImmutableList<CCompiler> others() {
    String usual = find().name;
    return OTHERS.stream()
        .filter(other -> !isInstalled(other.name) || !file(other.name).equals(file(usual)))
        .collect(ImmutableList.toImmutableList());
  }

  /** Whether the path of this machine has a command. */
  public static boolean isInstalled(String name) {
    return file(name).isPresent();
  }

  private static Optional<Path> file(String command) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String directory : Splitter.on(File.pathSeparatorChar).split(path)) {
      Path file = Path.of(directory, command);
      if (!directory.isEmpty() && !command.isEmpty() && Files.isExecutable(file)) {
        try {
          return Optional.of(file.toRealPath());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether the compiler and its emulator are there. */
  public boolean isPresent() {
    return !name.isEmpty() && isInstalled(name) && (isNative() || isInstalled(emulator));
  }

  /** Whether its programs are for this machine. */
  public boolean isNative() {
    return emulator.isEmpty();
  }

  /**
   * Compiles sources in a folder to {@code program} there, with all warnings as errors. O1 unless
   * an option says otherwise. Sanitizers and {@code -march=native} are for programs of this machine
   * only.
   */
  public void build(Path folder, String... sourcesAndOptions) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(name);
    command.add("-O1");
    command.addAll(FLAGS);
    command.addAll(options);
    for (String each : sourcesAndOptions) {
      if (isNative() || !(each.equals("-march=native") || each.startsWith("-fsanitize"))) {
        command.add(each);
      }
    }
    command.addAll(List.of("-o", "program", "-lm"));
    assertWithMessage("%s", command).that(execute(folder, command)).isEmpty();
  }

  /**
   * Returns what a command prints; fails if it ends with another code than 0. {@code ./program}
   * runs in the emulator.
   */
  public String run(Path folder, List<String> command) throws Exception {
    List<String> emulated = new ArrayList<>();
    for (String word : command) {
      if (!isNative() && word.equals("./program")) {
        emulated.add(emulator);
      }
      emulated.add(word);
    }
    return execute(folder, emulated);
  }

  private static String execute(Path folder, List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertWithMessage("%s: %s", command, printed).that(process.waitFor()).isEqualTo(0);
    return printed;
  }
}
