package dev.sublet.bench;

import com.google.protobuf.ByteString;
import dev.sublet.proto.PlanRequest;
import dev.sublet.proto.PlanResponse;
import dev.sublet.proto.Status;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints how long {@code ./sublet plugin} takes to answer, as a Markdown table: milliseconds from
 * the start of the process to the first response, the second response, and the median of the last
 * half of all requests of a process; beside them a run of {@code ./sublet plan}. Wall times, each
 * the smallest of five processes, because a machine that does other things, too, only adds.
 *
 * <p>Arguments: programs; without any the example of the README. Requests are for shapes as they
 * are declared, a batch of 1.
 */
public final class PluginLatency {

  private static final int PROCESSES = 5;
  private static final int REQUESTS = 200;
  private static final long LONGEST_NANOS = 20_000_000_000L;

  private PluginLatency() {}

  /** Prints the table. */
  public static void main(String[] arguments) throws Exception {
    String example = "testdata/examples/mobile_block/program.textproto";
    List<String> programs = arguments.length == 0 ? List.of(example) : Arrays.asList(arguments);
    System.out.println(
        "| program | bytes | request | `./sublet plan` or `optimize` | first response | second |"
            + " steady | first ÷ steady |");
    System.out.println("|---|--:|---|--:|--:|--:|--:|--:|");
    for (String program : programs) {
      print(Path.of(program), /* rewrite= */ false);
      print(Path.of(program), /* rewrite= */ true);
    }
  }

  private static void print(Path program, boolean rewrite) throws Exception {
    byte[] request =
        PlanRequest.newBuilder()
            .setProgram(ByteString.copyFrom(Files.readAllBytes(program)))
            .setRewrite(rewrite)
            .build()
            .toByteArray();
    double[] first = new double[PROCESSES];
    double[] second = new double[PROCESSES];
    double[] steady = new double[PROCESSES];
    double[] alone = new double[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
      alone[i] = run(program, rewrite);
      List<Double> times = serve(request);
      first[i] = times.get(0);
      second[i] = times.get(1);
      steady[i] =
          median(
              times.subList(times.size() / 2, times.size()).stream()
                  .mapToDouble(time -> time)
                  .toArray());
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %s | %.0f | %.0f | %.1f | %.1f | %.1f |%n",
        program.toAbsolutePath().getName(program.toAbsolutePath().getNameCount() - 2),
        Files.size(program),
        rewrite ? "rewrite" : "plan",
        smallest(alone),
        smallest(first),
        smallest(second),
        smallest(steady),
        smallest(first) / smallest(steady));
  }

  /** The times of all responses of a process, the first one with its start. */
  private static List<Double> serve(byte[] request) throws IOException, InterruptedException {
    List<Double> times = new ArrayList<>();
    long start = System.nanoTime();
    long begin = start;
    Process plugin =
        new ProcessBuilder("./sublet", "plugin")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (OutputStream out = plugin.getOutputStream();
        DataInputStream in = new DataInputStream(plugin.getInputStream())) {
      while (times.size() < REQUESTS
          && (times.size() < 4 || System.nanoTime() - start < LONGEST_NANOS)) {
        byte[] frame = new byte[4 + request.length];
        for (int i = 0; i < 4; i++) {
          frame[i] = (byte) (request.length >>> (8 * i));
        }
        System.arraycopy(request, 0, frame, 4, request.length);
        out.write(frame);
        out.flush();
        byte[] response = new byte[Integer.reverseBytes(in.readInt())];
        in.readFully(response);
        times.add((System.nanoTime() - begin) / 1e6);
        if (PlanResponse.parseFrom(response).getStatus() != Status.STATUS_OK) {
          throw new IllegalStateException(PlanResponse.parseFrom(response).toString());
        }
        begin = System.nanoTime();
      }
    }
    plugin.waitFor();
    return times;
  }

  /** The time of the command that does the same once. */
  private static double run(Path program, boolean rewrite)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("./sublet"));
    command.add(rewrite ? "optimize" : "plan");
    command.addAll(List.of(program.toString(), "-q"));
    Path folder = Files.createTempDirectory("sublet");
    command.addAll(List.of(rewrite ? "--plan" : "-o", folder.resolve("plan").toString()));
    if (rewrite) {
      command.addAll(List.of("-o", folder.resolve("program").toString()));
    }
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command));
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    for (String name : List.of("plan", "program")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.delete(folder);
    return millis;
  }

  private static double smallest(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
