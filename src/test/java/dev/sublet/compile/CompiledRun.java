package dev.sublet.compile;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

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
        ImmutableSet.of(),
        CompileOptions.BY_ARENA,
        CompileOptions.FEW_OPERATORS,
        options,
        "in",
        "sublet test");
  }

  /** The same program with loops as loops, where that is possible. */
  CompiledRun withLoops() {
    return new CompiledRun(program, parameters, options(options.panels(), /* unrolled= */ 0));
  }

  /** The same program with other bytes for panels. */
  CompiledRun withPanels(long panels) {
    return new CompiledRun(program, parameters, options(panels, options.unrolled()));
  }

  private CompileOptions options(long panels, long unrolled) {
    return new CompileOptions(
        options.name(),
        options.weights(),
        options.fetch(),
        panels,
        unrolled,
        options.plan(),
        options.source(),
        options.version());
  }

  /** The same program with its constants in a file. */
  CompiledRun withWeightsInFile() {
    return new CompiledRun(program, parameters, options(WeightsForm.BIN, options.plan()));
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
      assertWithMessage("%s %s", output.name(), List.of(options))
          .that(NpyReader.read(folder.resolve("out" + i + ".npy")))
          .isEqualTo(output.tensor().tensor());
    }
    assertThat(expected.outputs()).isNotEmpty();
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

  /** Returns the milliseconds of the fastest of several runs of the C. */
  double milliseconds(CCompiler compiler, Path folder, int runs, String... options)
      throws Exception {
    ProgramFacts facts =
        ProgramFacts.of(program, this.options.plan().analysis(), new DiagnosticLog());
    List<String> all = new ArrayList<>(List.of(options));
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
    String printed = compiler.run(folder, line);
    return Double.parseDouble(printed.substring(0, printed.indexOf(' ')));
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
