package dev.sublet.compile;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.analysis.WantedVariables;
import dev.sublet.codec.tensor.NpyReader;
import dev.sublet.codec.tensor.NpyWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.c.CCompiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compiles a program, builds and runs the C, and compares the results with the executor's bits. */
final class CompiledRun {

  private final Program program;
  private final ImmutableMap<String, Tensor> parameters;
  private final CompileOptions options;
  private final CompiledModel model;

  private CompiledRun(
      Program program, ImmutableMap<String, Tensor> parameters, CompileOptions options) {
    this.program = program;
    this.parameters = parameters;
    this.options = options;
    this.model = Compiler.compile(program, parameters, options, stage -> {}, new DiagnosticLog());
  }

  /** Compiles a program. */
  static CompiledRun of(
      Program program, ImmutableMap<String, Tensor> parameters, TranspileOptions options) {
    return new CompiledRun(program, parameters, options(WeightsForm.C, options));
  }

  /** Compiles a program, with its constants in a file. */
  static CompiledRun ofWeightsInFile(
      Program program, ImmutableMap<String, Tensor> parameters, TranspileOptions options) {
    return new CompiledRun(program, parameters, options(WeightsForm.BIN, options));
  }

  /** Compiles a program with made-up parameters. */
  static CompiledRun of(Program program, ShapeOptions shapes) {
    return of(
        program,
        RandomTensors.parameters(program),
        TranspileOptions.defaults().withShapes(shapes.withSingleSequences(program)));
  }

  /** The options for a program that is called {@code test}. */
  static CompileOptions options(WeightsForm weights, TranspileOptions options) {
    return new CompileOptions(
        "test",
        weights,
        MathMode.STRICT,
        /* threads= */ 1,
        ImmutableSet.of(),
        CompileOptions.BY_ARENA,
        CompileOptions.FEW_OPERATORS,
        options,
        "in",
        "sublet test");
  }

  /** The same program with loops as loops, where that is possible. */
  CompiledRun withLoops() {
    return with(
        options.weights(), options.math(), options.threads(), options.panels(), /* unrolled= */ 0);
  }

  /** The same program with other bytes for panels. */
  CompiledRun withPanels(long panels) {
    return with(options.weights(), options.math(), options.threads(), panels, options.unrolled());
  }

  /** The same program for several threads. */
  CompiledRun withThreads(int threads) {
    return with(options.weights(), options.math(), threads, options.panels(), options.unrolled());
  }

  /** The same program with another arithmetic. */
  CompiledRun withMath(MathMode math) {
    return with(options.weights(), math, options.threads(), options.panels(), options.unrolled());
  }

  /** The same program with its constants in a file. */
  CompiledRun withWeightsInFile() {
    return with(
        WeightsForm.BIN, options.math(), options.threads(), options.panels(), options.unrolled());
  }

  private CompiledRun with(
      WeightsForm weights, MathMode math, int threads, long panels, long unrolled) {
    return new CompiledRun(
        program,
        parameters,
        new CompileOptions(
            options.name(),
            weights,
            math,
            threads,
            options.fetch(),
            panels,
            unrolled,
            options.plan(),
            options.source(),
            options.version()));
  }

  /** The compiled model. */
  CompiledModel model() {
    return model;
  }

  /**
   * Builds and runs the C in a folder, and compares the results.
   *
   * @param command a command that runs the program, such as valgrind; empty for none
   * @param options of the C compiler
   */
  void check(CCompiler compiler, Path folder, List<String> command, String... options)
      throws Exception {
    ProgramFacts facts =
        ProgramFacts.of(program, this.options.plan().analysis(), new DiagnosticLog());
    ImmutableMap<String, LodTensor> feeds = feeds(facts);
    List<String> line = build(compiler, folder, command, feeds, options);
    ExecutionResult expected =
        Executor.run(
            program,
            feeds,
            parameters,
            ExecutionOptions.defaults().wanting(WantedVariables.of(facts, ImmutableSet.of())));
    for (int i = 0; i < expected.outputs().size(); i++) {
      line.add("out" + i + ".npy");
    }
    assertThat(compiler.run(folder, line)).isEmpty();
    for (int i = 0; i < expected.outputs().size(); i++) {
      ExecutionResult.Output output = expected.outputs().get(i);
      Tensor wanted = output.tensor().tensor();
      Tensor computed = NpyReader.read(folder.resolve("out" + i + ".npy"));
      String about = output.name() + " " + List.of(options);
      if (this.options.math() == MathMode.FAST && wanted.type().isFloating()) {
        checkNear(about, computed, wanted);
      } else {
        assertWithMessage(about).that(computed).isEqualTo(wanted);
      }
    }
    assertThat(expected.outputs()).isNotEmpty();
  }

  /** The elements differ by at most 1e-5 of the largest one. */
  private static void checkNear(String about, Tensor computed, Tensor wanted) {
    assertWithMessage(about).that(computed.shape()).isEqualTo(wanted.shape());
    double largest = 0;
    for (int i = 0; i < wanted.length(); i++) {
      largest = Math.max(largest, Math.abs(wanted.getDouble(i)));
    }
    for (int i = 0; i < wanted.length(); i++) {
      assertWithMessage(about)
          .that(computed.getDouble(i))
          .isWithin(1e-5 * largest)
          .of(wanted.getDouble(i));
    }
  }

  /** Builds the C in a folder; returns a command that runs it, without names for the outputs. */
  private List<String> build(
      CCompiler compiler,
      Path folder,
      List<String> command,
      ImmutableMap<String, LodTensor> feeds,
      String... options)
      throws Exception {
    List<String> sources = new ArrayList<>();
    for (Map.Entry<String, byte[]> file : model.files().entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
      if (file.getKey().endsWith(".c")) {
        sources.add(file.getKey());
      }
    }
    sources.addAll(List.of(options));
    compiler.build(folder, sources.toArray(new String[0]));
    List<String> line = new ArrayList<>(command);
    line.add("./program");
    for (LodTensor feed : feeds.values()) {
      line.add(line.size() + ".npy");
      Files.write(folder.resolve(line.get(line.size() - 1)), NpyWriter.toBytes(feed.tensor()));
    }
    return line;
  }

  /**
   * What a build and several runs of the C took.
   *
   * @param buildSeconds the seconds of the compiler
   * @param milliseconds the time of the fastest run
   * @param resident the KiB by which the first run raised the resident peak of the process: the
   *     arena, the stack and the code, but no constants, inputs and results
   * @param anonymous those of them that no file contains: without the code
   */
  record Cost(double buildSeconds, double milliseconds, long resident, long anonymous) {}

  /** Stands between main.c and the model, and writes what the first run took. */
  private static final String MEASURE =
      """
      #include <stdio.h>
      #include <string.h>
      #include "test.h"

      int __real_test_run(void *, const struct test_inputs *, struct test_outputs *);
      int __wrap_test_run(void *, const struct test_inputs *, struct test_outputs *);

      static long kibibytes(const char *key) {
        char line[256];
        long number = -1;
        FILE *status = fopen("/proc/self/status", "r");
        while (fgets(line, sizeof line, status) != NULL) {
          if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), "%ld", &number);
        }
        fclose(status);
        return number;
      }

      int __wrap_test_run(
          void *arena, const struct test_inputs *in, struct test_outputs *out) {
        static int runs = 0;
        if (runs++ > 0) return __real_test_run(arena, in, out);
        FILE *file = fopen("/proc/self/clear_refs", "w");
        fputs("5", file); /* the peak begins anew */
        fclose(file);
        const long before = kibibytes("VmRSS:");
        const long anonymous = kibibytes("RssAnon:");
        const int result = __real_test_run(arena, in, out);
        const long after = kibibytes("VmHWM:");
        file = fopen("resident", "w");
        fprintf(file, "%ld %ld", after - before, kibibytes("RssAnon:") - anonymous);
        fclose(file);
        return result;
      }
      """;

  /** Builds the C, and runs it several times in one process. Linux only. */
  Cost cost(CCompiler compiler, Path folder, int runs, String... options) throws Exception {
    Files.writeString(folder.resolve("measure.c"), MEASURE);
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("measure.c", "-Wl,--wrap=test_run"));
    long begin = System.nanoTime();
    List<String> line = buildToRepeat(compiler, folder, runs, all);
    double buildSeconds = (System.nanoTime() - begin) * 1e-9;
    double milliseconds = milliseconds(compiler, folder, line);
    List<String> resident =
        Splitter.on(' ').splitToList(Files.readString(folder.resolve("resident")));
    return new Cost(
        buildSeconds,
        milliseconds,
        Long.parseLong(resident.get(0)),
        Long.parseLong(resident.get(1)));
  }

  /** Builds the C, and returns the time of the fastest of several runs in one process. */
  double milliseconds(CCompiler compiler, Path folder, int runs, String... options)
      throws Exception {
    return milliseconds(compiler, folder, buildToRepeat(compiler, folder, runs, List.of(options)));
  }

  private static double milliseconds(CCompiler compiler, Path folder, List<String> line)
      throws Exception {
    String printed = compiler.run(folder, line);
    return Double.parseDouble(printed.substring(0, printed.indexOf(' ')));
  }

  /** Builds a program that runs the model several times; returns the command that runs it. */
  private List<String> buildToRepeat(
      CCompiler compiler, Path folder, int runs, List<String> options) throws Exception {
    ProgramFacts facts =
        ProgramFacts.of(program, this.options.plan().analysis(), new DiagnosticLog());
    List<String> all = new ArrayList<>(options);
    all.add("-DMODEL_REPEAT=" + runs);
    List<String> line =
        build(compiler, folder, List.of(), feeds(facts), all.toArray(new String[0]));
    Matcher outputs =
        Pattern.compile("_OUTPUTS (\\d+)")
            .matcher(new String(requireNonNull(model.files().get("test.h")), UTF_8));
    checkState(outputs.find());
    for (int i = 0; i < Integer.parseInt(outputs.group(1)); i++) {
      line.add("out" + i + ".npy");
    }
    return line;
  }

  private ImmutableMap<String, LodTensor> feeds(ProgramFacts facts) {
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    for (Variable variable : program.block(0).variables()) {
      if (facts.liveness().observation().isFeed(variable.index())) {
        Tensor tensor =
            RandomTensors.feed(
                variable.name(),
                /* seed= */ 0,
                facts.sizes().dataType(variable.index()),
                facts.sizes().dims(variable.index()));
        feeds.put(
            variable.name(),
            requireNonNull(
                facts.shapes().lod().containsKey(variable.name())
                    ? new LodTensor(tensor, facts.shapes().lod().get(variable.name()))
                    : LodTensor.of(tensor)));
      }
    }
    return feeds.buildOrThrow();
  }
}
