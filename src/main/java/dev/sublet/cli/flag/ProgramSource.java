package dev.sublet.cli.flag;

import dev.sublet.cli.argument.FileArgument;
import dev.sublet.cli.console.Streams;
import dev.sublet.codec.plan.OfflineAllocation;
import dev.sublet.codec.plan.OfflineAllocationReader;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.codec.program.InputKind;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.table.BufferTableReader;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The source of a program, a plan or a table of buffers: a file or standard input.
 *
 * @param argument a path, or {@code -} for standard input
 * @param streams the streams of the run
 */
public record ProgramSource(String argument, Streams streams) {

  /**
   * Returns a source whose form can be queried before it is read: the content of standard input is
   * read into memory.
   *
   * @param argument a path, or {@code -} for standard input
   */
  public static ProgramSource inMemory(String argument, Streams streams) {
    if (!argument.equals(Streams.DASH)) {
      return new ProgramSource(argument, streams);
    }
    InputStream content = new ByteArrayInputStream(streams.readInput());
    return new ProgramSource(argument, streams.withInput(content));
  }

  /** The name of the source in diagnostics. */
  public String name() {
    return isStandardInput() ? "<stdin>" : argument;
  }

  /** Whether the source is standard input, which can be read only once. */
  boolean isStandardInput() {
    return argument.equals(Streams.DASH);
  }

  /**
   * Reads a program.
   *
   * @throws ProgramException if there is none, or it is malformed
   */
  public ReadProgram readProgram() {
    if (isStandardInput()) {
      return ProgramReader.parseWithFormat(streams.readInput(), name());
    }
    Path path = FileArgument.path(argument);
    if (PlanFormat.ofFileName(path).isCsv()) {
      throw ProgramException.usage(
          argument + " is a table of buffers, not a program: 'plan' and 'verify' take tables");
    }
    return ProgramReader.readWithFormat(path);
  }

  /**
   * Reads a plan.
   *
   * @throws ProgramException if there is none, or it is malformed
   */
  public MemoryPlan readPlan() {
    return isStandardInput()
        ? PlanReader.parse(streams.readInput(), name())
        : PlanReader.read(FileArgument.path(argument));
  }

  /**
   * Whether the source is a table of buffers, according to a name that ends with {@code .csv} or to
   * the first line. Standard input must be {@linkplain #inMemory in memory}.
   */
  public boolean isTable() {
    if (!isStandardInput()) {
      Path path = FileArgument.path(argument);
      return PlanFormat.ofFileName(path).isCsv() || BufferTableReader.isTable(path);
    }
    return BufferTableReader.isTable(peek());
  }

  /** The probable kind of the source. Standard input must be {@linkplain #inMemory in memory}. */
  public InputKind kind() {
    return isStandardInput() ? InputKind.of(peek()) : InputKind.of(FileArgument.path(argument));
  }

  /**
   * Whether the source is an OfflineMemoryAllocation of TFLite Micro. Standard input must be
   * {@linkplain #inMemory in memory}.
   */
  public boolean isOffsets() {
    return isStandardInput()
        ? OfflineAllocationReader.isOne(peek())
        : OfflineAllocationReader.isOne(FileArgument.path(argument));
  }

  /**
   * Reads an OfflineMemoryAllocation.
   *
   * @throws ProgramException if it is malformed
   */
  public OfflineAllocation readOffsets() {
    return isStandardInput()
        ? OfflineAllocationReader.parse(streams.readInput(), name())
        : OfflineAllocationReader.read(FileArgument.path(argument));
  }

  /** Reads standard input and rewinds it, so that it can be read again. */
  private byte[] peek() {
    byte[] content = streams.readInput();
    try {
      streams.in().reset();
    } catch (IOException e) {
      throw new IllegalStateException("standard input is not in memory", e);
    }
    return content;
  }

  /**
   * Reads a table of buffers. The log gets a note about each part of the table that is not used.
   *
   * @throws ProgramException if there is none, or it is malformed
   */
  public BufferTable readTable(DiagnosticLog log) {
    return isStandardInput()
        ? BufferTableReader.parse(streams.readInput(), name(), log)
        : BufferTableReader.read(FileArgument.path(argument), log);
  }

  /** Runs a step about this source, so that an error that it throws names the source. */
  public <T> T about(Supplier<T> step) {
    try {
      return step.get();
    } catch (ProgramException e) {
      // Errors that concern only options concern no file; options that contradict a place in the
      // file do.
      boolean isUsage = e.exitCode() == Diagnostic.Kind.USAGE.exitCode();
      boolean isNowhere = e.diagnostics().get(0).location().equals(Location.nowhere());
      throw isUsage && isNowhere ? e : e.in(name());
    }
  }
}
