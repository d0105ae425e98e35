package dev.sublet.paddle.runtime;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.paddlepaddle.engine.PpNDManager;
import com.google.common.collect.ImmutableList;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Models as Paddle's graph passes leave them, saved by Paddle itself ({@code SaveOptimModel}, since
 * 2.5 {@code enable_save_optim_model}).
 *
 * <pre>
 *   m = mul(x, w); s = elementwise_add(m, b); r = relu(s)     saved as r = fc(x, w, b)
 * </pre>
 */
public final class FusedModels {

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private FusedModels() {}

  /** Returns the fused form of each model, made in one process. */
  public static ImmutableList<Model> of(List<Model> models) {
    try {
      PaddleRuntime.unpackOnce();
      Path folder = Files.createTempDirectory(PaddleRuntime.FOLDER, "fused");
      List<String> arguments = new ArrayList<>();
      for (Model model : models) {
        Path own = Files.createDirectory(folder.resolve(model.name()));
        Path program = own.resolve("saved");
        Files.write(program, RuntimeCopy.of(model.program()).toMessage().toByteArray());
        arguments.addAll(
            List.of(program.toString(), model.parameters().toString(), own.toString()));
      }
      Path log = folder.resolve("log");
      int exit =
          PaddleRuntime.runProcess(
              FusedModels.class, "fused", arguments, PaddleRuntime.Mode.FUSED, LIMIT, log);
      if (exit != 0) {
        throw new PaddleFailure("fused", "ended with code " + exit, PaddleRuntime.readLog(log));
      }
      ImmutableList.Builder<Model> fused = ImmutableList.builder();
      for (Model model : models) {
        Path own = folder.resolve(model.name());
        Program program = ProgramReader.read(own.resolve("model"));
        Path parameters = keep(own.resolve("params"), model);
        fused.add(new Model(model.name() + "_fused", program, parameters, model.feeds()));
        PaddleRuntime.deleteFilesIn(own);
      }
      PaddleRuntime.deleteFilesIn(folder);
      return fused.build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path keep(Path parameters, Model model) throws IOException {
    Path folder = Files.createDirectories(PaddleRuntime.FOLDER.resolve("parameters"));
    return Files.move(
        parameters, folder.resolve(model.name() + "_fused"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Saves fused forms. Arguments: for each model the program, the parameters, and a folder. */
  public static void main(String[] args) throws IOException {
    PpNDManager manager =
        (PpNDManager) Engine.getEngine("PaddlePaddle").newBaseManager(Device.cpu());
    ModelRun run = new ModelRun(PaddleLibrary.loaded(), manager);
    for (int i = 0; i < args.length; i += 3) {
      run.saveFused(args[i], args[i + 1], args[i + 2]);
    }
    Runtime.getRuntime().halt(0);
  }
}
