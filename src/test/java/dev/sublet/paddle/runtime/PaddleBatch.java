package dev.sublet.paddle.runtime;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Program;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.runtime.kernel.LodTensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs many models in a few processes of the real Paddle: thousands of small ones, or all forms of
 * one program. A model that is refused or crashes loses only its own result. A crash costs a new
 * process, about a second.
 *
 * <p>Each {@link Item} has one feed, {@link #FEED}, because the interface to the runtime requires a
 * feed.
 */
public final class PaddleBatch {

  /** The feed of every item: one FP32 zero. */
  public static final String FEED = "oracle_feed";

  /** Fewer models are not worth a process of their own, which takes about a second to start. */
  private static final int MODELS_IN_SMALLEST_PROCESS = 50;

  private static final int MODELS_PER_PROCESS = 500;

  /** For a whole process, on a machine that does other things. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Path folder;
  private final Mode mode;

  private PaddleBatch(Path folder, Mode mode) {
    this.folder = folder;
    this.mode = mode;
  }

  /** A model: a program with the feed {@link #FEED}, and its persistable tensors. */
  public record Item(ProgramDesc program, ImmutableMap<String, LodTensor> parameters) {

    public Item {
      requireNonNull(program, "program");
      requireNonNull(parameters, "parameters");
    }
  }

  /**
   * One model's result.
   *
   * @param outputs what it fetched, by name; empty in a traced run
   * @param trace what the log says of its operators in a traced run; which passes changed it, and
   *     how often, in a run with graph passes
   * @param failure why it did not run; empty if it did
   */
  public record Result(
      ImmutableMap<String, TensorData> outputs, ImmutableList<String> trace, String failure) {

    public Result {
      requireNonNull(outputs, "outputs");
      requireNonNull(trace, "trace");
      requireNonNull(failure, "failure");
    }

    /** What differs from the outputs of another run; the failure if this one did not run. */
    public List<String> differencesFrom(Result other) {
      return failure.isEmpty()
          ? run().differencesFrom(other.run())
          : ImmutableList.of("failure: " + failure);
    }

    /**
     * This result, of a model that must run.
     *
     * @throws PaddleFailure if it did not
     */
    public Result orThrow(Model model) {
      if (!failure.isEmpty()) {
        throw new PaddleFailure(model.name(), failure, /* log= */ "");
      }
      return this;
    }

    private RunResult run() {
      return new RunResult(outputs, /* residentPeak= */ 0, trace);
    }
  }

  /** Runs models for what they fetch. */
  public static ImmutableList<Result> run(List<Item> items) {
    return run(items, Mode.PLAIN);
  }

  /**
   * Runs programs with the parameters and feeds of one model, in one process as long as none
   * crashes.
   *
   * @param mode one that neither measures nor traces
   */
  public static ImmutableList<Result> run(Model model, List<Program> programs, Mode mode) {
    return runModels(programs.stream().map(model::with).toList(), mode);
  }

  /**
   * Runs models, each with its own parameters and feeds, in one process as long as none crashes.
   *
   * @param mode one that does not measure
   */
  public static ImmutableList<Result> runModels(List<Model> models, Mode mode) {
    try {
      PaddleRuntime.unpackOnce();
      Path folder =
          Files.createTempDirectory(Files.createDirectories(PaddleRuntime.FOLDER), "batch");
      try {
        for (int i = 0; i < models.size(); i++) {
          Model model = models.get(i);
          TensorFile.write(folder.resolve(i + ".feeds"), model.feeds().tensors());
          Files.createSymbolicLink(
              folder.resolve(i + ".parameters"), model.parameters().toAbsolutePath());
          Files.write(
              folder.resolve(i + ".program"),
              PaddleRuntime.runnable(model.program().toMessage(), mode).toByteArray());
        }
        return ImmutableList.copyOf(new PaddleBatch(folder, mode).runAll(models.size()));
      } finally {
        PaddleRuntime.deleteFilesIn(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs models, without their fetches, for what the log says of each operator. */
  public static ImmutableList<Result> trace(List<Item> items) {
    return run(items, Mode.TRACED);
  }

  private static ImmutableList<Result> run(List<Item> items, Mode mode) {
    try {
      PaddleRuntime.unpackOnce();
      // Two processes at a time: the machines that run the tests have two cores.
      int size = Math.max(MODELS_IN_SMALLEST_PROCESS, (items.size() + 3) / 4);
      size = Math.min(size, MODELS_PER_PROCESS);
      return Lists.partition(items, size).parallelStream()
          .flatMap(part -> runPart(part, mode).stream())
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Result> runPart(List<Item> items, Mode mode) {
    try {
      Path folder =
          Files.createTempDirectory(Files.createDirectories(PaddleRuntime.FOLDER), "batch");
      try {
        return new PaddleBatch(folder, mode).run(items.toArray(new Item[0]));
      } finally {
        PaddleRuntime.deleteFilesIn(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Result> run(Item[] items) throws IOException {
    TensorData feed = TensorData.ofFloats(ImmutableLongArray.of(1), 0f);
    TensorFile.write(folder.resolve("feeds"), ImmutableMap.of(FEED, feed));
    for (int i = 0; i < items.length; i++) {
      ProgramDesc program = PaddleRuntime.runnable(items[i].program(), mode);
      Files.write(folder.resolve(i + ".program"), program.toByteArray());
      ParameterFile.write(folder.resolve(i + ".parameters"), program, items[i].parameters());
    }
    return runAll(items.length);
  }

  private List<Result> runAll(int count) throws IOException {
    Result[] results = new Result[count];
    int begin = 0;
    while (begin < count) {
      begin = runFrom(begin, results);
    }
    return Arrays.asList(results);
  }

  private boolean isTraced() {
    return mode == Mode.TRACED;
  }

  /** Runs a process from a model on, and gives the first model that is left. */
  private int runFrom(int begin, Result[] results) throws IOException {
    Path log = folder.resolve("log");
    List<String> arguments =
        List.of(
            folder.toString(),
            Integer.toString(begin),
            Integer.toString(results.length),
            Boolean.toString(!isTraced()),
            mode.name());
    String ended = "";
    try {
      int exit = PaddleRuntime.runProcess(BatchRun.class, "batch", arguments, mode, LIMIT, log);
      ended =
          exit == BatchRun.TOO_LONG
              ? "took over " + BatchRun.SECONDS_PER_MODEL + " s"
              : "crash: exit code " + exit;
    } catch (PaddleFailure e) {
      ended = "took over " + LIMIT.toSeconds() + " s";
    }
    Map<Integer, List<String>> logs = logsByModel(PaddleRuntime.readLog(log));
    int model = begin;
    while (model < results.length && isFinished(model)) {
      results[model] = result(model, logs.getOrDefault(model, List.of()));
      model++;
    }
    if (model < results.length) {
      String reason = reason(ended, logs.getOrDefault(model, List.of()));
      results[model++] = new Result(ImmutableMap.of(), ImmutableList.of(), reason);
    }
    return model;
  }

  private boolean isFinished(int model) {
    return Files.exists(folder.resolve(model + ".failure"))
        || Files.exists(folder.resolve(model + (isTraced() ? ".done" : ".outputs")));
  }

  private Result result(int model, List<String> lines) throws IOException {
    Path failure = folder.resolve(model + ".failure");
    if (Files.exists(failure)) {
      return new Result(
          ImmutableMap.of(), ImmutableList.of(), reason(Files.readString(failure), lines));
    }
    return new Result(
        isTraced() ? ImmutableMap.of() : TensorFile.read(folder.resolve(model + ".outputs")),
        mode.fuses()
            ? PassTrace.parse(lines)
            : lines.stream()
                .filter(OperatorTrace::matches)
                .collect(ImmutableList.toImmutableList()),
        "");
  }

  /** The line of a message that says what is wrong. */
  private static String reason(String message, List<String> log) {
    List<String> lines = new ArrayList<>(Splitter.on('\n').splitToList(message));
    lines.addAll(log);
    for (String line : lines) {
      if (line.contains("Error: ") || line.contains("Exception: ")) {
        return line.trim();
      }
    }
    return message.isBlank() ? "refused" : message.strip().lines().findFirst().orElseThrow();
  }

  private static Map<Integer, List<String>> logsByModel(String log) {
    String[] parts = log.split(BatchRun.MARKER, -1);
    return IntStream.range(1, parts.length)
        .boxed()
        .collect(
            Collectors.toMap(
                i -> Integer.parseInt(parts[i].substring(0, parts[i].indexOf('\n'))),
                i -> Splitter.on('\n').splitToList(parts[i])));
  }
}
