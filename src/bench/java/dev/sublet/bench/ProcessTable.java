package dev.sublet.bench;

import com.google.common.base.Splitter;
import com.google.common.primitives.Ints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Prints how long {@code ./sublet optimize} takes as a whole process beside {@code ./sublet
 * convert}, which only reads and writes, as a Markdown table: wall time, and CPU time of user and
 * system. Each figure is the smallest of some processes, because a machine that does other things,
 * too, only adds. A process that takes longer than the limit is ended, and larger programs of its
 * form are skipped; the table contains both facts.
 *
 * <p>Arguments: the seconds that a process may take, the number of processes per figure, and the
 * sizes of the large programs, such as {@code 300 3 10000,100000,1000000}.
 */
public final class ProcessTable {

  private static final long POLL_MILLIS = 5;

  /** The time of a process; nothing if it was ended. */
  private record Times(OptionalDouble wall, OptionalDouble cpu) {

    Times smaller(Times other) {
      return new Times(smaller(wall, other.wall), smaller(cpu, other.cpu));
    }

    private static OptionalDouble smaller(OptionalDouble a, OptionalDouble b) {
      return a.isEmpty() || b.isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of(Math.min(a.getAsDouble(), b.getAsDouble()));
    }
  }

  private final int limitSeconds;
  private final int processes;
  private final Path folder;

  private ProcessTable(int limitSeconds, int processes, Path folder) {
    this.limitSeconds = limitSeconds;
    this.processes = processes;
    this.folder = folder;
  }

  /** Prints the table. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("sublet");
    ProcessTable table =
        new ProcessTable(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), folder);
    System.out.println(
        "| form | size | `convert`, s | CPU, s | `optimize`, s | CPU, s | ÷ `convert` | ÷ CPU |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|");
    int[] sizes =
        Ints.toArray(Splitter.on(',').splitToStream(arguments[2]).map(Integer::parseInt).toList());
    for (SyntheticPrograms.Form form : SyntheticPrograms.Form.values()) {
      table.print(form.name(), sizes, size -> SyntheticPrograms.generate(form, size));
    }
    int[] carries = {400, 800, 1600};
    table.print("CARRIES", carries, size -> bytes(SteepPrograms.CARRIES, size));
    int[] depths = {100, 200, 400};
    table.print("NESTED", depths, size -> bytes(SteepPrograms.NESTED, size));
    Files.delete(folder);
  }

  private static byte[] bytes(SteepPrograms form, int size) {
    return form.program(size).toMessage().toByteArray();
  }

  private void print(String form, int[] sizes, IntFunction<byte[]> generate)
      throws IOException, InterruptedException {
    boolean isOver = false;
    for (int size : sizes) {
      if (isOver) {
        System.out.printf(Locale.ROOT, "| %s | %,d | skipped | | | | | |%n", form, size);
        continue;
      }
      Path program = Files.write(folder.resolve("in.pdmodel"), generate.apply(size));
      Times convert = fastest("convert", program);
      Times optimize = fastest("optimize", program);
      isOver = convert.wall().isEmpty() || optimize.wall().isEmpty();
      System.out.printf(
          Locale.ROOT,
          "| %s | %,d | %s | %s | %s | %s | %s | %s |%n",
          form.toLowerCase(Locale.ROOT),
          size,
          text(convert.wall()),
          text(convert.cpu()),
          text(optimize.wall()),
          text(optimize.cpu()),
          ratio(optimize.wall(), convert.wall()),
          ratio(optimize.cpu(), convert.cpu()));
      Files.delete(program);
    }
  }

  private Times fastest(String verb, Path program) throws IOException, InterruptedException {
    Times fastest = run(verb, program);
    for (int i = 1; i < processes && fastest.wall().isPresent(); i++) {
      fastest = fastest.smaller(run(verb, program));
    }
    return fastest;
  }

  /** Runs a command. The last reading of the CPU time may miss a few milliseconds of it. */
  private Times run(String verb, Path program) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("./sublet", verb, program.toString(), "-o", folder + "/out.pdmodel", "-q"));
    if (verb.equals("optimize")) {
      command.addAll(List.of("--plan", folder + "/plan.json"));
    }
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    Duration cpu = Duration.ZERO;
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      Optional<Duration> used = process.info().totalCpuDuration();
      cpu = used.orElse(cpu);
      if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(limitSeconds)) {
        process.destroyForcibly().waitFor();
        return new Times(OptionalDouble.empty(), OptionalDouble.empty());
      }
    }
    double wall = (System.nanoTime() - begin) / 1e9;
    if (process.exitValue() != 0) {
      throw new IllegalStateException(String.join(" ", command));
    }
    Files.delete(folder.resolve("out.pdmodel"));
    Files.deleteIfExists(folder.resolve("plan.json"));
    return new Times(OptionalDouble.of(wall), OptionalDouble.of(cpu.toMillis() / 1e3));
  }

  private String text(OptionalDouble seconds) {
    return seconds.isPresent()
        ? String.format(Locale.ROOT, "%.2f", seconds.getAsDouble())
        : "over " + limitSeconds;
  }

  private static String ratio(OptionalDouble dividend, OptionalDouble divisor) {
    return dividend.isPresent() && divisor.isPresent()
        ? String.format(Locale.ROOT, "%.1f", dividend.getAsDouble() / divisor.getAsDouble())
        : "";
  }
}
