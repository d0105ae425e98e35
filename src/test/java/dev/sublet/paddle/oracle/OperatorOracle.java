package dev.sublet.paddle.oracle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.OracleTensors;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleFailure;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.ParameterFile;
import dev.sublet.paddle.runtime.RuntimeCopy;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Compares what operators compute with what the real Paddle computes from the same tensors.
 *
 * <p>All cases are branches of one program, so that one process does for hundreds. If it does not
 * run, parts of it are tried until each culprit stands alone; that one is a failure, the others are
 * compared. Inputs are persistable variables, which can be of every type.
 */
public final class OperatorOracle {

  private static final String FEED = PaddleBatch.FEED;

  private final Function<OperatorCall, OperatorResult> kernels;
  private final List<Attempt> attempts = new ArrayList<>();

  private OperatorOracle(Function<OperatorCall, OperatorResult> kernels) {
    this.kernels = kernels;
  }

  /** A case that has been computed here, and its number in the program. */
  private static final class Attempt {

    private OracleCase oracleCase;
    private final String prefix;

    /** By variable name in the program. */
    private final Map<String, LodTensor> actual = new LinkedHashMap<>();

    private double difference;
    private String failure = "";

    Attempt(OracleCase oracleCase, int number) {
      this.oracleCase = oracleCase;
      this.prefix = "c" + number;
    }

    private void take(PaddleBatch.Result result) {
      if (!result.failure().isEmpty()) {
        failure = "Paddle: " + result.failure();
        return;
      }
      actual.forEach((variable, tensor) -> compare(this, variable, tensor, result.outputs()));
    }
  }

  /**
   * Compares cases, in their order.
   *
   * @param kernels computes operators; what it throws is a failure of the case
   */
  public static ImmutableList<OracleResult> compare(
      String name, List<OracleCase> cases, Function<OperatorCall, OperatorResult> kernels) {
    OperatorOracle oracle = new OperatorOracle(kernels);
    List<Attempt> runnable = new ArrayList<>();
    for (OracleCase oracleCase : cases) {
      Attempt attempt = new Attempt(oracleCase, oracle.attempts.size());
      oracle.attempts.add(attempt);
      if (oracle.compute(attempt)) {
        runnable.add(attempt);
      }
    }
    oracle.runPaddle(name, runnable);
    ImmutableList.Builder<OracleResult> results = ImmutableList.builder();
    for (Attempt attempt : oracle.attempts) {
      results.add(new OracleResult(attempt.oracleCase, attempt.difference, attempt.failure));
    }
    return results.build();
  }

  /**
   * Compares cases. Each case is a model of its own: if Paddle refuses one, the others still run. A
   * failure begins with {@code here: }, or with {@code Paddle: } if Paddle refuses the case, or
   * with the name of an output.
   */
  public static ImmutableList<OracleResult> compareEach(
      List<OracleCase> cases, Function<OperatorCall, OperatorResult> kernels) {
    OperatorOracle oracle = new OperatorOracle(kernels);
    List<Attempt> runnable = oracle.computeEach(cases);
    ImmutableList<PaddleBatch.Result> results =
        PaddleBatch.run(runnable.stream().map(attempt -> item(List.of(attempt))).toList());
    for (int i = 0; i < runnable.size(); i++) {
      runnable.get(i).take(results.get(i));
    }
    return oracle.results();
  }

  /** The same without Paddle: whether the cases can be computed here. */
  public static ImmutableList<OracleResult> compute(
      List<OracleCase> cases, Function<OperatorCall, OperatorResult> kernels) {
    OperatorOracle oracle = new OperatorOracle(kernels);
    oracle.computeEach(cases);
    return oracle.results();
  }

  private List<Attempt> computeEach(List<OracleCase> cases) {
    List<Attempt> runnable = new ArrayList<>();
    for (OracleCase oracleCase : cases) {
      Attempt attempt = new Attempt(oracleCase, 0);
      attempts.add(attempt);
      if (compute(attempt)) {
        runnable.add(attempt);
      }
    }
    return runnable;
  }

  private ImmutableList<OracleResult> results() {
    return attempts.stream()
        .map(each -> new OracleResult(each.oracleCase, each.difference, each.failure))
        .collect(ImmutableList.toImmutableList());
  }

  private boolean compute(Attempt attempt) {
    OperatorResult result;
    try {
      attempt.oracleCase = attempt.oracleCase.completed(kernels);
      result = kernels.apply(attempt.oracleCase.call());
    } catch (RuntimeException | AssertionError e) {
      attempt.failure = "here: " + e + " at " + e.getStackTrace()[0];
      return false;
    }
    for (OracleCase.Output output : attempt.oracleCase.outputs()) {
      if (!output.compared()) {
        continue;
      }
      ImmutableList<OperatorResult.Output> values = result.outputs().get(output.slot());
      if (values.size() != output.count()) {
        attempt.failure =
            "here: " + values.size() + " values in " + output.slot() + ", not " + output.count();
        return false;
      }
      for (int i = 0; i < values.size(); i++) {
        attempt.actual.put(
            OracleCase.outputName(attempt.prefix, output, i),
            new LodTensor(values.get(i).tensor(), values.get(i).lod().orElse(ImmutableList.of())));
      }
    }
    return true;
  }

  private void runPaddle(String name, List<Attempt> some) {
    if (some.isEmpty()) {
      return;
    }
    Map<String, TensorData> outputs;
    try {
      outputs = PaddleRuntime.run(model(name, some), Mode.PLAIN).outputs();
    } catch (PaddleFailure e) {
      if (some.size() == 1) {
        some.get(0).failure = "Paddle: " + e.reason();
      } else {
        for (List<Attempt> part : parts(some, e)) {
          runPaddle(name, part);
        }
      }
      return;
    }
    for (Attempt attempt : some) {
      attempt.actual.forEach((variable, tensor) -> compare(attempt, variable, tensor, outputs));
    }
  }

  /** The cases of the operator that the failure names, and the others; or else halves. */
  private static List<List<Attempt>> parts(List<Attempt> some, PaddleFailure failure) {
    List<Attempt> named = new ArrayList<>();
    List<Attempt> others = new ArrayList<>();
    for (Attempt attempt : some) {
      (failure.names(attempt.oracleCase.type()) ? named : others).add(attempt);
    }
    int half = some.size() / 2;
    return named.isEmpty() || others.isEmpty()
        ? List.of(some.subList(0, half), some.subList(half, some.size()))
        : List.of(named, others);
  }

  private static void compare(
      Attempt attempt, String variable, LodTensor actual, Map<String, TensorData> outputs) {
    TensorData data = outputs.get(fetched(variable, actual.tensor().type()));
    if (data == null) {
      attempt.failure = "Paddle: nothing in " + variable;
      return;
    }
    if (data.dims().stream().anyMatch(extent -> extent < 0)) {
      attempt.failure = "Paddle: a shape of " + data.dims();
      return;
    }
    Tensor expected = OracleTensors.tensor(data).tensor();
    Tensor comparable = carried(actual.tensor());
    double difference = Difference.of(comparable, expected);
    attempt.difference = Math.max(attempt.difference, difference);
    if (difference > attempt.oracleCase.tolerance()) {
      attempt.failure =
          variable + " is " + comparable + "; Paddle: " + expected + "; difference " + difference;
    } else if (!actual.lod().isEmpty() && !actual.lod().equals(data.lod())) {
      attempt.failure = variable + " has sequences " + actual.lod() + "; Paddle: " + data.lod();
    }
  }

  /** The tensor in a type that the interface to the runtime carries. */
  private static Tensor carried(Tensor tensor) {
    if (tensor.type() == ElementType.FLOAT64) {
      float[] values = new float[tensor.length()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) tensor.doubles()[i];
      }
      return Tensor.of(tensor.shape(), values);
    }
    if (tensor.type().bytes() == 1) {
      int[] values = new int[tensor.length()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (int) tensor.getLong(i);
      }
      return Tensor.of(tensor.shape(), values);
    }
    return tensor;
  }

  private static String fetched(String variable, ElementType type) {
    return type == ElementType.FLOAT64 || type.bytes() == 1 ? variable + "_f" : variable;
  }

  private static Model model(String name, List<Attempt> attempts) {
    PaddleBatch.Item item = item(attempts);
    Program program = Program.of(item.program());
    Path file = ParameterFile.write(RuntimeCopy.of(program), item.parameters());
    TensorData feed = TensorData.ofFloats(ImmutableLongArray.of(1), 0f);
    return new Model(name, program, file, new Feeds(ImmutableMap.of(FEED, feed)));
  }

  private static PaddleBatch.Item item(List<Attempt> attempts) {
    List<String> lines = new ArrayList<>();
    lines.add("version 2003002");
    lines.add("block 0");
    lines.add("feed " + FEED + ": fp32[1] check_feed");
    ImmutableMap.Builder<String, LodTensor> parameters = ImmutableMap.builder();
    for (Attempt attempt : attempts) {
      addOperator(attempt, lines);
      OracleCase oracleCase = attempt.oracleCase;
      for (String slot : oracleCase.inputs().keySet()) {
        ImmutableList<LodTensor> arguments = oracleCase.inputs().get(slot);
        for (int i = 0; i < arguments.size(); i++) {
          parameters.put(OracleCase.inputName(attempt.prefix, slot, i), arguments.get(i));
        }
      }
    }
    return new PaddleBatch.Item(
        ProgramText.parseMessage(lines.toArray(new String[0])), parameters.buildOrThrow());
  }

  private static void addOperator(Attempt attempt, List<String> lines) {
    lines.addAll(attempt.oracleCase.inputDeclarations(attempt.prefix));
    attempt.actual.forEach(
        (variable, tensor) -> {
          if (lines.stream().noneMatch(line -> line.startsWith("var " + variable + ":"))) {
            lines.add("var " + variable + ": " + OracleTensors.typeText(tensor.tensor()));
          }
        });
    lines.add(attempt.oracleCase.operator(attempt.prefix));
    attempt.actual.forEach(
        (variable, tensor) -> {
          ElementType type = tensor.tensor().type();
          String fetched = fetched(variable, type);
          if (!fetched.equals(variable)) {
            lines.add(
                String.format(
                    "%s = cast(%s) {in_dtype: %s, out_dtype: %s}",
                    fetched,
                    variable,
                    OracleTensors.dataType(type).number(),
                    OracleTensors.dataType(carried(tensor.tensor()).type()).number()));
          }
          lines.add("fetch(" + fetched + ")");
        });
  }
}
