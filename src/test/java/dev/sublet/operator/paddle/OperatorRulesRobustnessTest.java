package dev.sublet.operator.paddle;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.mutate.ProgramMutations;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No shape rule and no view rule fails on an operator that is not sound: whatever attributes,
 * arguments and declarations say, it ends in sizes, known or not, or in a diagnostic. The operators
 * are those of {@code testdata/operators} and of {@code testdata/shape}, damaged.
 */
final class OperatorRulesRobustnessTest {

  private static final int MUTANTS_OF_A_LINE = 15;
  private static final int MUTANTS_OF_A_PROGRAM = 300;

  /** What failed and where, with the seed and the program that showed it. */
  private final Map<String, String> failures = new LinkedHashMap<>();

  private int inferred;

  @Test
  void damagedOperators_endInSizesOrADiagnostic() throws IOException {
    for (Path file : files("testdata/operators", ".txt")) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          ImmutableList<OracleCase> cases = OracleText.cases(line);
          SplittableRandom random = new SplittableRandom(line.hashCode());
          OracleCase one = cases.get(random.nextInt(cases.size()));
          inferMutants(one.program("c"), MUTANTS_OF_A_LINE, random);
        }
      }
    }
    assertThat(failures).isEmpty();
    assertThat(inferred).isGreaterThan(5000);
  }

  @Test
  void damagedPrograms_endInSizesOrADiagnostic() throws IOException {
    for (Path file : files("testdata/shape", ".program")) {
      ProgramDesc program = ProgramText.parseMessage(Files.readString(file));
      SplittableRandom random = new SplittableRandom(file.toString().hashCode());
      inferMutants(program, MUTANTS_OF_A_PROGRAM, random);
    }
    assertThat(failures).isEmpty();
    assertThat(inferred).isGreaterThan(5000);
  }

  /** A step of a recurrent network over a list of numbers has rank 0, which nothing declares. */
  @Test
  void operatorsOnTensorsOfRankZero_endInSizesOrADiagnostic() throws IOException {
    for (Path file : files("testdata/operators", ".txt")) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          ProgramDesc program = OracleText.cases(line).get(0).program("c");
          for (int variable = 0; variable < program.getBlocks(0).getVarsCount(); variable++) {
            inferOrRefuse(inSteps(program, variable), line + ", variable " + variable);
          }
        }
      }
    }
    assertThat(failures).isEmpty();
    assertThat(inferred).isGreaterThan(1000);
  }

  /** The last operator as the step of a recurrent network over four numbers. */
  private static ProgramDesc inSteps(ProgramDesc program, int variable) {
    ProgramDesc.Builder changed = program.toBuilder();
    BlockDesc.Builder outer = changed.getBlocksBuilder(0);
    OpDesc operator = outer.getOps(outer.getOpsCount() - 1);
    VarDesc.Builder numbers = outer.getVarsBuilder(variable);
    VarDesc step = numbers.build();
    numbers.getTypeBuilder().getLodTensorBuilder().getTensorBuilder().clearDims().addDims(4);
    OpDesc recurrent =
        ProgramText.parseMessage(
                String.format(
                    """
                    block 0
                      var %1$s: fp32[4]
                      recurrent(inputs: %1$s) {sub_block: 1, has_states: false}
                    block 1 parent 0
                    """,
                    step.getName()))
            .getBlocks(0)
            .getOps(0);
    outer.setOps(outer.getOpsCount() - 1, recurrent);
    changed.addBlocks(
        BlockDesc.newBuilder().setIdx(1).setParentIdx(0).addVars(step).addOps(operator));
    return changed.build();
  }

  private static List<Path> files(String folder, String extension) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files.filter(file -> file.toString().endsWith(extension)).sorted().toList();
    }
  }

  private void inferMutants(ProgramDesc program, int mutants, SplittableRandom random) {
    for (int i = 0; i < mutants; i++) {
      long seed = random.nextLong();
      ProgramDesc damaged = ProgramMutations.mutate(program, seed);
      inferOrRefuse(damaged, "seed " + seed + " of " + damaged);
    }
  }

  private void inferOrRefuse(ProgramDesc program, String name) {
    try {
      infer(Program.of(program));
      inferred++;
    } catch (ProgramException e) {
      // What is wrong has been said.
    } catch (RuntimeException e) {
      failures.putIfAbsent(e + " at " + place(e), name);
    }
  }

  /** With a batch that is given, so that declared shapes do not stand in for rules. */
  private static void infer(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    ShapeOptions options = new ShapeOptions(2, ImmutableMap.of(), ImmutableMap.of());
    ShapeInference.infer(program, catalog, LodCarriers.find(program, catalog), options);
  }

  private static String place(RuntimeException e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.sublet.")) {
        return frame.toString();
      }
    }
    return "no place";
  }
}
