package dev.sublet.cli.flag;

import dev.sublet.cli.argument.FileArgument;
import dev.sublet.cli.console.Streams;
import dev.sublet.codec.file.OutputFiles;
import dev.sublet.diag.ProgramException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outputs of a run, written all together or not at all; {@code -} is standard output. */
public final class Outputs implements AutoCloseable {

  private final Streams streams;
  private final OutputFiles files = new OutputFiles();
  private byte @Nullable [] standardOutput;

  /** Nothing staged yet. */
  public Outputs(Streams streams) {
    this.streams = streams;
  }

  /**
   * Looks at where outputs are to go, before work is done whose result could not be kept.
   *
   * @param targets paths, and {@code -}; null is none
   * @throws ProgramException if one of them cannot be written, or two go to one place
   */
  static void check(Iterable<? extends @Nullable String> targets) {
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
   * Prepares an output.
   *
   * @param target a path, or {@code -}
   * @throws ProgramException if it cannot be written, or two go to standard output
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

  /** Whether standard output is taken, so that a summary must go elsewhere. */
  public boolean takesStandardOutput() {
    return standardOutput != null;
  }

  /**
   * Writes everything. Standard output comes first: if nobody takes it, no file is touched.
   *
   * @throws ProgramException if something cannot be written
   */
  public void commit() {
    if (standardOutput != null) {
      streams.writeOutput(standardOutput);
    }
    files.commit();
  }

  /** Removes what was staged and not committed. */
  @Override
  public void close() {
    files.close();
  }
}
