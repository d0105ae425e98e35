package dev.sublet.compile;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.TranspileOptions;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small programs, with every compiler and emulator of {@link CCompiler#others} that is installed:
 * the bits of the executor. A test of a compiler that is missing is skipped, and names it. {@code
 * -Dsublet.cc=riscv64-linux-gnu-gcc} makes the other tests of C take such a compiler.
 */
final class OtherCompilersTest {

  private static final int RANDOM_PROGRAMS = LongForm.tries(/* usual= */ 1, /* all= */ 4);

  @TempDir private Path folder = Path.of("");

  @TestFactory
  List<DynamicNode> compilers() throws IOException {
    Map<String, CompiledRun> programs = programs();
    List<DynamicNode> nodes = new ArrayList<>();
    for (CCompiler compiler : CCompiler.others()) {
      if (!compiler.isPresent()) {
        String needed = (compiler.name() + " " + compiler.emulator()).strip();
        nodes.add(
            DynamicTest.dynamicTest(
                compiler.name(),
                () -> assumeTrue(false, "not on the path: " + needed + ": not tested")));
        continue;
      }
      List<DynamicTest> tests = new ArrayList<>();
      programs.forEach(
          (name, run) ->
              tests.add(DynamicTest.dynamicTest(name, () -> check(name, run, compiler))));
      nodes.add(DynamicContainer.dynamicContainer(compiler.name(), tests));
    }
    return nodes;
  }

  private void check(String name, CompiledRun run, CCompiler compiler) throws Exception {
    Path own = Files.createDirectories(folder.resolve(compiler.name()).resolve(name));
    run.check(compiler, own, List.of(), "-O2", "-DMODEL_CHECK");
  }

  private static Map<String, CompiledRun> programs() throws IOException {
    Map<String, CompiledRun> programs = new LinkedHashMap<>();
    Path examples = Path.of("testdata", "examples");
    for (String name :
        List.of(
            "ten_operators", "mobile_block", "late_read", "greedy_decoder", "keyword_spotting")) {
      programs.put(name, compiled(examples.resolve(name).resolve("program.textproto")));
    }
    for (String name : List.of("distance3", "convolution_nested", "branch_in_loop")) {
      programs.put(name, compiled(examples.resolve("loops").resolve(name + ".textproto")));
    }
    for (String name : List.of("hostile_names", "layers", "loop")) {
      Path file = Path.of("testdata", "compile", name, "in.program");
      programs.put(name, withLoops(ProgramText.parse(Files.readString(file))));
    }
    for (int seed = 0; seed < RANDOM_PROGRAMS; seed++) {
      programs.put("random" + seed, withLoops(ExecutablePrograms.generate(seed, 12)));
    }
    return programs;
  }

  private static CompiledRun compiled(Path file) {
    return CompiledRun.of(ProgramReader.readWithFormat(file).program(), ShapeOptions.defaults());
  }

  private static CompiledRun withLoops(Program program) {
    return CompiledRun.of(program, RandomTensors.parameters(program), TranspileOptions.defaults())
        .withLoops();
  }
}
