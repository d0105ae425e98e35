package dev.sublet.paddle.runtime;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.Program;
import java.nio.file.Path;

/**
 * A program with all that it needs to run.
 *
 * @param name what messages and files call it
 * @param program the program, as its writer saved it; to have outputs, it must fetch only FP32,
 *     INT32, INT64 and UINT8: the interface to the runtime crashes at other types
 * @param parameters the file of its persistable tensors
 * @param feeds what it is fed with; the interface to the runtime wants at least one
 */
public record Model(String name, Program program, Path parameters, Feeds feeds) {

  public Model {
    requireNonNull(name, "name");
    requireNonNull(program, "program");
    requireNonNull(parameters, "parameters");
    requireNonNull(feeds, "feeds");
  }

  /** A program with deterministic pseudo-random parameters, which are written if need be. */
  public static Model withRandomParameters(String name, Program program, Feeds feeds) {
    return new Model(name, program, RandomParameters.fileFor(RuntimeCopy.of(program)), feeds);
  }

  /** The same model, computed by another program. */
  public Model with(Program other) {
    return new Model(name, other, parameters, feeds);
  }

  /** The same model, fed with something else. */
  public Model withFeeds(Feeds other) {
    return new Model(name, program, parameters, other);
  }

  /** The name, for test reports. */
  @Override
  public String toString() {
    return name;
  }
}
