package dev.sublet.paddle.runtime;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.proto.ProgramDesc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Paddle Inference 2.3.2: the front door of this package. Each run is a process of its own
 * with the class path of the tests; one that takes too long is killed. Everything that is written
 * goes to {@code target/paddle}.
 */
public final class PaddleRuntime {

  /** Where this package's files go. */
  public static final Path FOLDER = Path.of("target", "paddle").toAbsolutePath();

  private static final Duration LIMIT =
      Duration.ofSeconds(Long.getLong("sublet.paddle.seconds", 120));

  private static final ReentrantLock UNPACKING = new ReentrantLock();

  private PaddleRuntime() {}

  /** What a run is to do besides giving its outputs. */
  public enum Mode {
    /** Nothing; Paddle's own memory optimization is off. */
    PLAIN(/* optimizes= */ false, /* fuses= */ false, /* measures= */ false),
    /** Paddle's own memory optimization is on: it shares buffers as it sees fit. */
    OPTIMIZING_MEMORY(/* optimizes= */ true, /* fuses= */ false, /* measures= */ false),
    /**
     * As {@link #PLAIN}, with Paddle's graph passes ({@code ir_optim}), which are on by default.
     */
    FUSED(/* optimizes= */ false, /* fuses= */ true, /* measures= */ false),
    /** As {@link #FUSED}, with Paddle's own memory optimization. */
    FUSED_OPTIMIZING_MEMORY(/* optimizes= */ true, /* fuses= */ true, /* measures= */ false),
    /** As {@link #PLAIN}, with the resident peak. */
    MEASURED(/* optimizes= */ false, /* fuses= */ false, /* measures= */ true),
    /** As {@link #OPTIMIZING_MEMORY}, with the resident peak. */
    OPTIMIZING_MEMORY_MEASURED(/* optimizes= */ true, /* fuses= */ false, /* measures= */ true),
    /** As {@link #FUSED}, with the resident peak. */
    FUSED_MEASURED(/* optimizes= */ false, /* fuses= */ true, /* measures= */ true),
    /** As {@link #FUSED_OPTIMIZING_MEMORY}, with the resident peak. */
    FUSED_OPTIMIZING_MEMORY_MEASURED(
        /* optimizes= */ true, /* fuses= */ true, /* measures= */ true),
    /** As {@link #PLAIN}, with a log of every operator's run, and without outputs. */
    TRACED(/* optimizes= */ false, /* fuses= */ false, /* measures= */ false);

    private final boolean optimizes;
    private final boolean fuses;
    private final boolean measures;

    Mode(boolean optimizes, boolean fuses, boolean measures) {
      this.optimizes = optimizes;
      this.fuses = fuses;
      this.measures = measures;
    }

    /** Whether Paddle's own memory optimization is on. */
    boolean optimizes() {
      return optimizes;
    }

    /** Whether Paddle's graph passes are on. */
    public boolean fuses() {
      return fuses;
    }

    private boolean measures() {
      return measures;
    }
  }

  /** Skips the running test where there is no such runtime: anywhere but on Linux x86-64. */
  public static void assumeAvailable() {
    Assumptions.assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "skipped: Paddle Inference comes for Linux on x86-64 only");
  }

  /**
   * Runs a model once. The program is run as {@link RuntimeCopy} makes it, so that those of newer
   * versions run too.
   *
   * @throws PaddleFailure if it does not run
   */
  public static RunResult run(Model model, Mode mode) {
    return run(model, mode, LIMIT);
  }

  /** As {@link #run(Model, Mode)}, with another limit to the time that a run may take. */
  static RunResult run(Model model, Mode mode, Duration limit) {
    return run(model, runnable(model.program().toMessage(), mode), mode, limit);
  }

  /** Runs a message as it is: Sublet's reader joins and checks what Paddle reads by itself. */
  public static RunResult runMessage(Model model, ProgramDesc program) {
    return run(model, program, Mode.PLAIN, LIMIT);
  }

  /** The copy of a program that the runtime can read; without fetches if it is to be traced. */
  static ProgramDesc runnable(ProgramDesc program, Mode mode) {
    return mode == Mode.TRACED ? RuntimeCopy.withoutFetches(program) : RuntimeCopy.of(program);
  }

  /**
   * Returns the milliseconds of the fastest of several runs of a model, by the clock, in a process
   * in which nothing else runs.
   */
  public static double milliseconds(Model model, Mode mode, int runs) {
    try {
      Path folder = Files.createTempDirectory(Files.createDirectories(FOLDER), "time");
      try {
        unpackOnce();
        Path program = folder.resolve("program");
        Path feeds = folder.resolve("feeds");
        Path time = folder.resolve("time");
        Files.write(program, runnable(model.program().toMessage(), mode).toByteArray());
        TensorFile.write(feeds, model.feeds().tensors());
        List<String> arguments = new ArrayList<>();
        arguments.add(mode.name());
        arguments.addAll(List.of(program.toString(), model.parameters().toString()));
        arguments.addAll(List.of(feeds.toString(), time.toString(), Integer.toString(runs)));
        Path log = folder.resolve("log");
        if (runProcess(ModelTime.class, model.name(), arguments, mode, LIMIT, log) != 0) {
          throw new PaddleFailure(model.name(), "does not run", readLog(log));
        }
        return Double.parseDouble(Files.readString(time));
      } finally {
        deleteFilesIn(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RunResult run(Model model, ProgramDesc program, Mode mode, Duration limit) {
    try {
      Path folder = Files.createTempDirectory(Files.createDirectories(FOLDER), "run");
      try {
        unpackOnce();
        return run(model, program, mode, limit, folder);
      } finally {
        deleteFilesIn(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder with {@code libpaddle_inference.so} and the libraries that it needs. */
  public static Path libraries() throws IOException {
    unpackOnce();
    try (Stream<Path> files = Files.find(FOLDER, 3, (file, facts) -> isLibrary(file))) {
      return requireNonNull(files.findFirst().orElseThrow().getParent());
    }
  }

  private static boolean isLibrary(Path file) {
    return file.endsWith(PaddleLibrary.NAME);
  }

  /** Two processes that unpack the library into one folder at a time would disturb each other. */
  static void unpackOnce() throws IOException {
    UNPACKING.lock();
    try {
      Path unpacked = Files.createDirectories(FOLDER).resolve("unpacked");
      if (!Files.exists(unpacked)) {
        Path log = FOLDER.resolve("unpacking.log");
        if (runProcess("unpacking", List.of(), Mode.PLAIN, LIMIT, log) != 0) {
          throw new PaddleFailure("the runtime", "cannot be unpacked", readLog(log));
        }
        Files.writeString(unpacked, "");
      }
    } finally {
      UNPACKING.unlock();
    }
  }

  private static RunResult run(
      Model model, ProgramDesc message, Mode mode, Duration limit, Path folder) throws IOException {
    Path program = folder.resolve("program");
    Path feeds = folder.resolve("feeds");
    Path outputs = folder.resolve("outputs");
    Path peak = folder.resolve("peak");
    Path log = folder.resolve("log");
    Files.write(program, message.toByteArray());
    TensorFile.write(feeds, model.feeds().tensors());
    List<String> arguments = new ArrayList<>();
    arguments.add(mode.name());
    arguments.addAll(List.of(program.toString(), model.parameters().toString(), feeds.toString()));
    if (mode != Mode.TRACED) {
      arguments.add(outputs.toString());
    }
    if (mode.measures()) {
      arguments.add(peak.toString());
    }
    int exit = runProcess(model.name(), arguments, mode, limit, log);
    if (exit != 0) {
      throw new PaddleFailure(model.name(), "ended with exit code " + exit, readLog(log));
    }
    return new RunResult(
        mode == Mode.TRACED ? ImmutableMap.of() : TensorFile.read(outputs),
        mode.measures() ? Long.parseLong(Files.readString(peak)) : 0,
        readTrace(mode, log));
  }

  private static int runProcess(
      String name, List<String> arguments, Mode mode, Duration limit, Path log) throws IOException {
    return runProcess(ModelRun.class, name, arguments, mode, limit, log);
  }

  /** Runs a main class of this package in a process of its own; gives its exit code. */
  static int runProcess(
      Class<?> main, String name, List<String> arguments, Mode mode, Duration limit, Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-Xss8m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:ErrorFile=" + FOLDER.resolve("crash"));
    command.add("-Dai.djl.offline=true");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true).redirectOutput(Redirect.to(log.toFile()));
    builder.environment().put("DJL_CACHE_DIR", FOLDER.toString());
    builder.environment().put("ENGINE_CACHE_DIR", FOLDER.toString());
    if (mode == Mode.TRACED) {
      // Level 4 of this one source file tells of every operator, before and after it has run.
      builder.environment().put("GLOG_vmodule", "operator=4");
    }
    if (mode.measures()) {
      // Else malloc keeps freed blocks or gives them back, as chance has it.
      builder.environment().put("MALLOC_MMAP_THRESHOLD_", "65536");
    } else {
      // One heap that grows by large steps: each model of a batch has a thread, and each thread
      // would have a heap of its own that grows page by page (a tenth of a batch's time).
      builder.environment().put("MALLOC_ARENA_MAX", "1");
      builder.environment().put("MALLOC_TOP_PAD_", Integer.toString(64 << 20));
    }
    Process process = builder.start();
    try {
      if (!process.waitFor(limit.toMillis(), MILLISECONDS)) {
        throw new PaddleFailure(name, "took over " + limit.toSeconds() + " s", readLog(log));
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " ran", e);
    } finally {
      process.destroyForcibly();
    }
  }

  static String readLog(Path log) throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
  }

  private static ImmutableList<String> readTrace(Mode mode, Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    if (mode.optimizes()) {
      return MemoryClusters.parse(lines);
    }
    return mode == Mode.TRACED
        ? lines.stream().filter(OperatorTrace::matches).collect(ImmutableList.toImmutableList())
        : ImmutableList.of();
  }

  static void deleteFilesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
