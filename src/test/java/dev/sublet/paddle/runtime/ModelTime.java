package dev.sublet.paddle.runtime;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.paddlepaddle.engine.PpNDManager;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process that {@link PaddleRuntime#milliseconds} starts. It loads a model, runs it several
 * times, and writes the milliseconds of the fastest run.
 */
final class ModelTime {

  private ModelTime() {}

  /**
   * Runs a model.
   *
   * @param args the mode, the program, the parameters, the feeds, the target, the number of runs
   */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    PpNDManager manager =
        (PpNDManager) Engine.getEngine("PaddlePaddle").newBaseManager(Device.cpu());
    ModelRun run = new ModelRun(PaddleLibrary.loaded(), manager);
    long nanoseconds =
        run.fastest(
            args[1],
            args[2],
            Mode.valueOf(args[0]),
            TensorFile.read(Path.of(args[3])),
            Integer.parseInt(args[5]));
    Files.writeString(Path.of(args[4]), Double.toString(nanoseconds * 1e-6));
    // Destructors of the native library have nothing more to tell.
    Runtime.getRuntime().halt(0);
  }
}
