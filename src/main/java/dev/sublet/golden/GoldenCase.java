package dev.sublet.golden;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * One golden case: an input, and the expected files beside it.
 *
 * <p>A case is a folder whose input is its one entry {@code in.*} (or the folder {@code in}), or a
 * file that is itself the input. An instance is immutable.
 */
public final class GoldenCase {

  private final Path path;
  private final String ending;
  private final Comparison comparison;

  /**
   * Creates a case.
   *
   * @param ending if the case is a file: the end of the file name that is not part of the case's
   *     name; if the case is a folder: empty
   */
  GoldenCase(Path path, String ending, Comparison comparison) {
    this.path = path;
    this.ending = ending;
    this.comparison = comparison;
  }

  /**
   * The name of the case: the name of its folder, or of its file without the ending.
   *
   * @return the name, for the display name of a test
   */
  public String name() {
    String file = path.getFileName().toString();
    return file.substring(0, file.length() - ending.length());
  }

  /**
   * The folder of the expected files.
   *
   * @return the case's folder, or the folder that contains the case's file
   */
  public Path folder() {
    Path parent = path.getParent();
    if (ending.isEmpty()) {
      return path;
    }
    return parent == null ? Path.of("") : parent;
  }

  /**
   * The input.
   *
   * @return the file or the folder that is transpiled
   * @throws AssertionError if there is no {@code in.*}, or more than one
   */
  public Path input() {
    if (!ending.isEmpty()) {
      return path;
    }
    List<Path> inputs = entries("in");
    if (inputs.size() != 1) {
      throw new AssertionError(
          path + ": there is " + (inputs.isEmpty() ? "no in.*" : "more than one in.*: " + inputs));
    }
    return inputs.get(0);
  }

  /** The entries of the folder whose names equal a word, or begin with the word and a dot. */
  private List<Path> entries(String word) {
    try (Stream<Path> entries = Files.list(path)) {
      return entries.filter(entry -> isNamed(entry, word)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isNamed(Path entry, String word) {
    String name = entry.getFileName().toString();
    return name.equals(word) || name.startsWith(word + ".");
  }

  /**
   * Reads the input.
   *
   * @return the program
   * @throws AssertionError if it cannot be read; the cause contains the reason
   */
  public Program program() {
    try {
      return ProgramReader.read(input());
    } catch (ProgramException e) {
      throw new AssertionError(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The expected files of the case, before any comparison.
   *
   * @return a new collection of differences
   */
  public ExpectedFiles expect() {
    return new ExpectedFiles(path.toString(), folder(), comparison);
  }

  /**
   * Transpiles the input and compares the result with the one file {@code out.*}, or with {@code
   * NAME.out.textproto} if the case is a file. In a folder, a new expected file is called {@code
   * out.textproto}.
   *
   * @param transpiler makes a program from a program; its exceptions are passed on
   * @throws AssertionError if the input cannot be read, or the result is not the expected one
   */
  public void check(UnaryOperator<Program> transpiler) {
    Program result = transpiler.apply(program());
    expect().program(output(), result).check();
  }

  private String output() {
    if (!ending.isEmpty()) {
      return name() + ".out.textproto";
    }
    List<Path> outputs = entries("out");
    if (outputs.size() > 1) {
      throw new AssertionError(path + ": there is more than one out.*: " + outputs);
    }
    return outputs.isEmpty() ? "out.textproto" : outputs.get(0).getFileName().toString();
  }

  /**
   * Transpiles the input and compares each resulting file with the expected file of the same name.
   * Programs and plans are compared by content. Expected files that are not among the results are
   * ignored; use {@link ExpectedFiles#nothingElse} to find them.
   *
   * @param transpiler makes files from a file
   * @throws AssertionError if the transpiler makes no file, or a file is not as expected
   * @throws Exception if the transpiler throws it
   */
  public void checkFiles(FileTranspiler transpiler) throws Exception {
    ImmutableMap<String, byte[]> results = transpiler.transpile(input());
    if (results.isEmpty()) {
      throw new AssertionError(path + ": the transpiler has made no file");
    }
    ExpectedFiles expected = expect();
    ImmutableSortedMap.copyOf(results).forEach(expected::file);
    expected.check();
  }

  /** Returns the path of the folder or file that is the case. */
  @Override
  public String toString() {
    return path.toString();
  }
}
