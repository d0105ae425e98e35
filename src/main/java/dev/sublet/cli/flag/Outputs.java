package dev.sublet.cli.flag;

import dev.sublet.cli.argument.FileArgument;
import dev.sublet.cli.console.Streams;
import dev.sublet.codec.file.OutputFiles;
import dev.sublet.diag.ProgramException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of a run, which are written all together or not at all; {@code -} is standard output.
 */
public final class Outputs implements AutoCloseable {

  private final Streams streams;
  private final OutputFiles files = new OutputFiles();
  private byte @Nullable [] standardOutput;

  /** Creates a set of outputs without files. */
  public Outputs(Streams streams) {
    this.streams = streams;
  }

  /**
   * Checks the targets of outputs, so that errors are found before work whose result could not be
   * saved.
   *
   * @param targets paths or {@code -}; null stands for no output
   * @throws ProgramException if a target cannot be written, or two outputs have the same target
   */
  public static void check(Iterable<? extends @Nullable String> targets) {
    List<Path> paths = new ArrayList<>();
    boolean taken = false;
    for (String target : targets) {
      if (target == null) {
        continue;
      }
      if (!target.equals(Streams.DASH)) {
        paths.add(FileArgument.path(target));
      } else if (taken) {
        throw ProgramException.usage("two outputs go to standard output");
      } else {
        taken = true;
      }
    }
    OutputFiles.check(paths);
  }

  /**
   * Returns the target to {@linkplain #check check} for a file in a directory: the directory itself
   * if {@link #stageDirectory} is to create it.
   */
  public static String targetIn(String directory, String file) {
    Path path = FileArgument.path(directory);
    return (Files.exists(path) ? path.resolve(file) : path).toString();
  }

  /**
   * Creates a directory for outputs, unless it exists. It is deleted if they are not committed.
   *
   * @throws ProgramException if it cannot be created
   */
  public void stageDirectory(String directory) {
    files.stageDirectory(FileArgument.path(directory));
  }

  /**
   * Stages an output, which {@link #commit} writes.
   *
   * @param target a path, or {@code -}
   * @throws ProgramException if the target cannot be written, or two outputs go to standard output
   */
  public void stage(String target, byte[] content) {
    if (!target.equals(Streams.DASH)) {
      files.stage(FileArgument.path(target), content);
    } else if (standardOutput == null) {
      standardOutput = content;
    } else {
      throw ProgramException.usage("two outputs go to standard output");
    }
  }

  /** Whether an output goes to standard output, so that a summary must go elsewhere. */
  public boolean takesStandardOutput() {
    return standardOutput != null;
  }

  /**
   * Writes all outputs. Standard output comes first: if writing to it fails, no file is changed.
   *
   * @throws ProgramException if an output cannot be written
   */
  public void commit() {
    if (standardOutput != null) {
      streams.writeOutput(standardOutput);
    }
    files.commit();
  }

  /** Removes the outputs that were staged and not committed. */
  @Override
  public void close() {
    files.close();
  }
}
