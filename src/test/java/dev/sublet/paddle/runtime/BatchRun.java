package dev.sublet.paddle.runtime;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.paddlepaddle.engine.PpNDManager;
import com.google.common.collect.ImmutableMap;
import com.sun.jna.Callback;
import com.sun.jna.NativeLibrary;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of its own that runs many small models one after the other. Only {@link PaddleBatch}
 * starts it. A model that Paddle refuses leaves a file with the reason, and the next one runs; a
 * native crash ends the process, and so does a model that takes too long; the log's last marker
 * says at which model.
 *
 * <p>Paddle refuses by C++ exceptions, which the Java interface does not catch: they would end the
 * process. So each model runs on a thread of its own, and a handler of {@code std::terminate} stops
 * that thread for good where it is.
 *
 * <p>Arguments: the folder of the models, the numbers of the first model and of the one after the
 * last, whether outputs are written, and the mode. The file {@code feeds} is for the models that
 * have none of their own.
 */
final class BatchRun {

  /** Precedes a model's number in the log. */
  static final String MARKER = "@@ model ";

  /** Some operators never end on some arguments. */
  static final int SECONDS_PER_MODEL = 120;

  /** The exit code if a model took longer. */
  static final int TOO_LONG = 124;

  /** {@code std::set_terminate}. */
  private static final String SET_TERMINATE = "_ZSt13set_terminatePFvvE";

  private final ModelRun run;
  private final Path folder;
  private final boolean writes;
  private final Mode mode;

  /** Opened when the model that runs has ended, in whatever way. */
  private volatile CountDownLatch ended = new CountDownLatch(1);

  private volatile boolean isRefused;

  private BatchRun(ModelRun run, Path folder, boolean writes, Mode mode) {
    this.run = run;
    this.folder = folder;
    this.writes = writes;
    this.mode = mode;
  }

  /** What C++ calls when nobody catches an exception; it must not return. */
  private interface TerminateHandler extends Callback {
    @SuppressWarnings("UnusedMethod") // native code calls it
    void invoke();
  }

  /** Runs the models that the arguments describe. */
  public static void main(String[] args) throws IOException, InterruptedException {
    PpNDManager manager =
        (PpNDManager) Engine.getEngine("PaddlePaddle").newBaseManager(Device.cpu());
    BatchRun batch =
        new BatchRun(
            new ModelRun(PaddleLibrary.loaded(), manager),
            Path.of(args[0]),
            Boolean.parseBoolean(args[3]),
            Mode.valueOf(args[4]));
    TerminateHandler handler = batch::stopThread;
    NativeLibrary.getInstance("libstdc++.so.6")
        .getFunction(SET_TERMINATE)
        .invokePointer(new Object[] {handler});
    int end = Integer.parseInt(args[2]);
    for (int model = Integer.parseInt(args[1]); model < end; model++) {
      batch.runOne(model);
    }
    Runtime.getRuntime().halt(0);
  }

  private void stopThread() {
    isRefused = true;
    ended.countDown();
    while (true) {
      LockSupport.park(this);
    }
  }

  private void runOne(int model) throws IOException, InterruptedException {
    System.err.println(MARKER + model);
    ended = new CountDownLatch(1);
    isRefused = false;
    // Paddle's recursion over blocks needs a large stack.
    Thread thread = new Thread(null, () -> forward(model), "model " + model, 8 << 20);
    thread.setDaemon(true);
    thread.start();
    if (!ended.await(SECONDS_PER_MODEL, TimeUnit.SECONDS)) {
      // Native code cannot be stopped; only the process can.
      Runtime.getRuntime().halt(TOO_LONG);
    }
    if (isRefused) {
      Files.writeString(folder.resolve(model + ".failure"), "the runtime threw an exception");
    }
  }

  private void forward(int model) {
    try {
      Path feeds = folder.resolve(model + ".feeds");
      ImmutableMap<String, TensorData> outputs =
          run.forward(
              folder.resolve(model + ".program").toString(),
              folder.resolve(model + ".parameters").toString(),
              mode,
              TensorFile.read(Files.exists(feeds) ? feeds : folder.resolve("feeds")));
      if (writes) {
        TensorFile.write(folder.resolve(model + ".outputs"), outputs);
      } else {
        Files.writeString(folder.resolve(model + ".done"), "");
      }
    } catch (EngineException | IOException | ReflectiveOperationException e) {
      writeFailure(model, e);
    } finally {
      ended.countDown();
    }
  }

  private void writeFailure(int model, Exception failure) {
    try {
      Files.writeString(folder.resolve(model + ".failure"), String.valueOf(failure.getMessage()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
