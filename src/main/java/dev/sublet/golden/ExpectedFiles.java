package dev.sublet.golden;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanWriter;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The expected files of one case: collects all differences, and then fails once.
 *
 * <pre>{@code
 * golden.expect().program("out.textproto", result).plan("plan.json", plan).check();
 * }</pre>
 *
 * <p>Names are relative to the case's folder and cannot leave it. If the update switch is on, a
 * file that differs or is missing is written; an equal file is not touched. Not thread-safe.
 */
public final class ExpectedFiles {

  private final String name;
  private final Path folder;
  private final Comparison comparison;
  private final List<String> differences = new ArrayList<>();
  private final Set<String> entries = new HashSet<>();
  private int compared;

  ExpectedFiles(String name, Path folder, Comparison comparison) {
    this.name = name;
    this.folder = folder;
    this.comparison = comparison;
  }

  /**
   * Compares a program. The file name determines the format of a new file, see {@link
   * ProgramFormat#ofFileName}.
   *
   * @param file the expected file's name
   * @param actual the actual program
   * @return this
   */
  @CanIgnoreReturnValue
  public ExpectedFiles program(String file, Program actual) {
    ProgramFormat format = ProgramFormat.ofFileName(Path.of(file));
    return file(file, ProgramWriter.toBytes(actual, format, new DiagnosticLog()));
  }

  /**
   * Compares a plan. The file name determines the format of a new file, see {@link
   * PlanFormat#ofFileName}.
   *
   * @param file the expected file's name
   * @param actual the actual plan
   * @return this
   * @throws dev.sublet.diag.ProgramException if the format needs more than the plan
   */
  @CanIgnoreReturnValue
  public ExpectedFiles plan(String file, MemoryPlan actual) {
    return file(file, PlanWriter.toBytes(actual, PlanFormat.ofFileName(Path.of(file))));
  }

  /**
   * Compares a text, byte for byte in UTF-8, unless it is a program or a plan.
   *
   * @param file the expected file's name
   * @param actual the actual text
   * @return this
   */
  @CanIgnoreReturnValue
  public ExpectedFiles text(String file, String actual) {
    return file(file, actual.getBytes(UTF_8));
  }

  /**
   * Compares a file's content: programs and plans by content, everything else byte for byte.
   *
   * @param file the expected file's name
   * @param actual the actual content
   * @return this
   */
  @CanIgnoreReturnValue
  public ExpectedFiles file(String file, byte[] actual) {
    requireNonNull(actual, "actual");
    Path expected = folder.resolve(file);
    Path within = folder.toAbsolutePath().normalize();
    Path target = expected.toAbsolutePath().normalize();
    if (!target.startsWith(within) || target.equals(within)) {
      throw new IllegalArgumentException("'" + file + "' is not a file in " + folder);
    }
    compared++;
    entries.add(within.relativize(target).getName(0).toString());
    try {
      compare(file, expected, actual);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  private void compare(String file, Path expected, byte[] actual) throws IOException {
    String difference =
        Files.isRegularFile(expected)
            ? Difference.between(Files.readAllBytes(expected), actual, comparison)
            : "there is no such file\n";
    if (difference.isEmpty()) {
      return;
    }
    if (comparison.isUpdating()) {
      Files.createDirectories(requireNonNull(expected.toAbsolutePath().getParent()));
      Files.write(expected, actual);
    } else {
      differences.add(file + ": " + difference);
    }
  }

  /**
   * Checks that the case's folder contains only the compared files, the input and the given names:
   * an expected file that the transpiler no longer makes is a difference. The update switch does
   * not delete such a file. Only for cases that are folders.
   *
   * @param others names of other allowed files and folders, such as {@code README}
   * @return this
   */
  @CanIgnoreReturnValue
  public ExpectedFiles nothingElse(String... others) {
    Set<String> known = new HashSet<>(entries);
    known.addAll(Arrays.asList(others));
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.sorted().toList()) {
        String entry = path.getFileName().toString();
        if (!known.contains(entry) && !GoldenCase.isNamed(path, "in")) {
          differences.add(entry + ": nothing makes this file");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /**
   * Ends the comparison.
   *
   * @throws AssertionError if a file differs or is missing; the message describes all differences
   *     and how to update
   * @throws IllegalStateException if no file was compared
   */
  public void check() {
    if (compared == 0) {
      throw new IllegalStateException(name + ": no file was compared");
    }
    if (!differences.isEmpty()) {
      StringBuilder message = new StringBuilder(name);
      message.append(": ").append(differences.size());
      message.append(differences.size() == 1 ? " file is" : " files are");
      message.append(" not as expected\n");
      for (String difference : differences) {
        message.append(difference.stripTrailing().replace("\n", "\n  ")).append('\n');
      }
      message.append("To accept what was made, rerun with -D").append(comparison.updateSwitch());
      throw new AssertionError(message.append("=true and review the diff.").toString());
    }
  }
}
