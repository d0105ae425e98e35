package dev.sublet.golden;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The golden files in a folder, and the way in which they are compared: the front door.
 *
 * <pre>{@code
 * // src/test/goldens/CASE/in.textproto, out.textproto
 * GoldenPrograms.in(Path.of("src/test/goldens")).checkAll(MyPass::rewrite);
 * }</pre>
 *
 * <p>With {@code -Dsublet.updateGoldens=true}, expected files that differ or are missing are
 * written instead, and the test passes: review the diff. Without the property, no file is ever
 * written.
 *
 * <p>Two programs are the same if {@link dev.sublet.diff.ProgramDiff} finds no difference: the
 * order of operators, their arguments and attributes, declarations and names count; the order of
 * declarations does not. Two plans are the same if {@link dev.sublet.diff.PlanDiff} finds no
 * difference. An instance is immutable. Cases are in the order of their names, so all runs report
 * the same.
 */
public final class GoldenPrograms {

  /** The default update switch, a system property. */
  public static final String UPDATE_SWITCH = "sublet.updateGoldens";

  private final Path folder;
  private final Comparison comparison;

  private GoldenPrograms(Path folder, Comparison comparison) {
    this.folder = requireNonNull(folder, "folder");
    this.comparison = comparison;
  }

  /**
   * Returns the golden files in a folder, compared by content. No file is read yet.
   *
   * @param folder the folder; a relative path is relative to the working directory of the test
   * @return the golden files
   */
  public static GoldenPrograms in(Path folder) {
    return new GoldenPrograms(folder, new Comparison(UPDATE_SWITCH, false, false));
  }

  /**
   * Returns a copy with another update switch.
   *
   * @param property the name of a system property; expected files are written if it is {@code true}
   * @return the golden files
   */
  public GoldenPrograms withUpdateSwitch(String property) {
    return new GoldenPrograms(folder, comparison.withUpdateSwitch(property));
  }

  /**
   * Returns a copy for which the names of variables may differ, as long as each operator reads and
   * writes the same values.
   *
   * @return the golden files
   */
  public GoldenPrograms withRenamings() {
    return new GoldenPrograms(folder, comparison.withRenamings());
  }

  /**
   * Returns a copy for which programs and plans must be equal byte for byte, too.
   *
   * @return the golden files
   */
  public GoldenPrograms byteForByte() {
    return new GoldenPrograms(folder, comparison.byteForByte());
  }

  /**
   * Returns a case for each folder in the folder, in the order of names.
   *
   * @return the cases; at least one
   * @throws AssertionError if there is none: a test that checks nothing must not pass
   * @throws UncheckedIOException if the folder cannot be listed
   */
  public ImmutableList<GoldenCase> cases() {
    return list("folder", Files::isDirectory, "");
  }

  /**
   * Returns the case of one folder in the folder.
   *
   * @param name the name of that folder
   * @return its case
   * @throws AssertionError if there is no such folder
   */
  public GoldenCase folder(String name) {
    Path path = folder.resolve(name);
    if (!Files.isDirectory(path)) {
      throw new AssertionError("golden files: there is no folder " + path);
    }
    return new GoldenCase(path, "", comparison);
  }

  /**
   * Returns a case for each file in the folder whose name has an ending, in the order of names. The
   * expected files are beside the input.
   *
   * @param ending the end of the file names, such as {@code .pdmodel}; the rest is the case's name
   * @return the cases; at least one
   * @throws AssertionError if there is none
   * @throws UncheckedIOException if the folder cannot be listed
   */
  public ImmutableList<GoldenCase> files(String ending) {
    checkArgument(!ending.isEmpty(), "files without an ending cannot be told from expected ones");
    return list(
        "file *" + ending,
        path -> Files.isRegularFile(path) && path.getFileName().toString().endsWith(ending),
        ending);
  }

  private ImmutableList<GoldenCase> list(String what, Predicate<Path> isCase, String ending) {
    if (!Files.isDirectory(folder)) {
      throw new AssertionError("golden files: there is no folder " + folder.toAbsolutePath());
    }
    List<GoldenCase> cases = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.filter(isCase).sorted().toList()) {
        cases.add(new GoldenCase(entry, ending, comparison));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (cases.isEmpty()) {
      throw new AssertionError("golden files: there is no " + what + " in " + folder);
    }
    return ImmutableList.copyOf(cases);
  }

  /**
   * Runs a transpiler on every folder's input and compares the result with {@code out.*}, as {@link
   * GoldenCase#check(UnaryOperator)} does.
   *
   * @param transpiler makes a program from a program
   * @throws AssertionError after the last case, if any case fails; the message lists the
   *     differences by case
   */
  public void checkAll(UnaryOperator<Program> transpiler) {
    List<String> failures = new ArrayList<>();
    ImmutableList<GoldenCase> cases = cases();
    for (GoldenCase golden : cases) {
      try {
        golden.check(transpiler);
      } catch (AssertionError e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(
          failures.size()
              + (cases.size() == 1 ? " of 1 case" : " of " + cases.size() + " cases")
              + " failed\n"
              + String.join("\n", failures));
    }
  }

  /** Returns the path of the folder. */
  @Override
  public String toString() {
    return folder.toString();
  }
}
