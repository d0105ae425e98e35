package dev.sublet.paddle.oracle;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One call of an operator whose facts are to be judged by runs.
 *
 * @param text what the call is, for reports
 * @param call the operator with its tensors
 * @param sameVariable input slots whose one argument is the variable of another slot, by slot
 */
public record FactCase(String text, OracleCase call, ImmutableMap<String, String> sameVariable) {

  public FactCase {
    requireNonNull(text, "text");
    requireNonNull(call, "call");
    requireNonNull(sameVariable, "sameVariable");
  }

  /**
   * A call and its variations: with one output alone, and with one variable in two input slots.
   *
   * @param kernels computes the inputs that come from the forward operator
   * @param slots the input slots that keep a variable of their own
   */
  public static ImmutableList<FactCase> of(
      OracleCase line, ImmutableSet<String> slots, Function<OperatorCall, OperatorResult> kernels) {
    OracleCase call = line.completed(kernels);
    List<FactCase> cases = new ArrayList<>();
    cases.add(new FactCase(call.text(), call, ImmutableMap.of()));
    if (slots.isEmpty()) {
      return ImmutableList.copyOf(cases);
    }
    if (call.type().endsWith("_grad") && call.outputs().size() > 1) {
      for (OracleCase.Output output : call.outputs()) {
        cases.add(
            new FactCase(
                call.text() + ", " + output.slot() + " alone",
                call.withOutputs(ImmutableList.of(output)),
                ImmutableMap.of()));
      }
    }
    List<String> free =
        call.inputs().keySet().stream()
            .filter(slot -> !slots.contains(slot) && call.inputs().get(slot).size() == 1)
            .toList();
    for (int i = 0; i < free.size(); i++) {
      for (int j = i + 1; j < free.size(); j++) {
        if (areAlike(call, free.get(i), free.get(j))) {
          cases.add(withSameVariable(call, free.get(i), free.get(j)));
        }
      }
    }
    return ImmutableList.copyOf(cases);
  }

  private static boolean areAlike(OracleCase call, String first, String second) {
    LodTensor a = call.inputs().get(first).get(0);
    LodTensor b = call.inputs().get(second).get(0);
    return a.tensor().type() == b.tensor().type()
        && a.tensor().shape().equals(b.tensor().shape())
        && a.lod().equals(b.lod());
  }

  private static FactCase withSameVariable(OracleCase call, String first, String second) {
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    call.inputs()
        .forEach(
            (slot, tensor) ->
                inputs.put(slot, slot.equals(second) ? call.inputs().get(first).get(0) : tensor));
    return new FactCase(
        call.text() + ", " + first + " and " + second + " one variable",
        call.withInputs(inputs.build()),
        ImmutableMap.of(second, first));
  }

  /** The output slots that have variables of their own. */
  ImmutableList<OracleCase.Output> ownOutputs() {
    return call.outputs().stream()
        .filter(output -> output.variableOf().isEmpty())
        .collect(toImmutableList());
  }

  /** The parameter that holds an input's value. */
  static String parameter(String slot, int argument) {
    return "i_" + slot + "_" + argument;
  }

  @Override
  public String toString() {
    return text;
  }
}
