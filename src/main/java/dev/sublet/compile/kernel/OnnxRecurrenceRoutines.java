package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.onnx.recurrent.GateFunction;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.List;

/** LSTM, GRU and RNN of ONNX in C, which compute in float64: a call for each direction. */
final class OnnxRecurrenceRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "LSTM",
          call -> new OnnxRecurrenceRoutines(call, List.of("Sigmoid", "Tanh", "Tanh"), 4).routine(),
          "GRU",
          call -> new OnnxRecurrenceRoutines(call, List.of("Sigmoid", "Tanh"), 3).routine(),
          "RNN",
          call -> new OnnxRecurrenceRoutines(call, List.of("Tanh"), 1).routine());

  private final OperatorCall call;
  private final List<String> activations;
  private final int gates;
  private final Tensor x;
  private final boolean isBatchFirst;
  private final long steps;
  private final long batch;
  private final long width;
  private final long hidden;
  private final int directions;

  private OnnxRecurrenceRoutines(OperatorCall call, List<String> activations, int gates) {
    this.call = call;
    this.activations = activations;
    this.gates = gates;
    this.x = call.input("0");
    call.shape("0", 3);
    call.shape("2", 3);
    this.isBatchFirst = call.integer("layout", 0) == 1;
    this.steps = x.size(isBatchFirst ? 1 : 0);
    this.batch = x.size(isBatchFirst ? 0 : 1);
    this.width = x.size(2);
    this.hidden = call.integer("hidden_size", call.input("2").size(2));
    this.directions = call.text("direction", "forward").equals("bidirectional") ? 2 : 1;
  }

  private CRoutine routine() {
    long rows = gates * hidden;
    if (hidden < 1) {
      throw new OperatorException("a hidden_size of " + hidden);
    }
    check("0", steps * batch * width);
    check("1", directions * rows * width);
    check("2", directions * rows * hidden);
    check("3", directions * 2L * rows);
    check("5", directions * batch * hidden);
    check("6", directions * batch * hidden);
    check("7", directions * 3L * hidden);
    checkLengths();
    RoutineBuilder routine = new RoutineBuilder(call);
    if (isBatchFirst) {
      routine.declare("0", x.type(), batch, steps, directions, hidden);
    } else {
      routine.declare("0", x.type(), steps, directions, batch, hidden);
    }
    for (String slot : gates == 4 ? List.of("1", "2") : List.of("1")) {
      if (isBatchFirst) {
        routine.declare(slot, x.type(), batch, directions, hidden);
      } else {
        routine.declare(slot, x.type(), directions, batch, hidden);
      }
    }
    Place work = routine.reserve(8 * (5 * hidden + 2 * rows + width));
    ImmutableList<GateFunction> functions = GateFunction.of(call, activations, directions);
    functions.forEach(function -> function.of(0)); // refuses unknown functions
    for (int direction = 0; direction < directions; direction++) {
      int first = direction * activations.size();
      call(routine, direction, functions.subList(first, first + activations.size()), work);
    }
    return routine.build();
  }

  private void call(
      RoutineBuilder routine, int direction, List<GateFunction> functions, Place work) {
    long rows = gates * hidden;
    long bytes = x.type().bytes();
    boolean isReverse = direction == 1 || call.text("direction", "forward").equals("reverse");
    routine.call("recurrence_" + CLibrary.suffix(x.type()));
    routine.numbers(gates, steps, batch, width, hidden, directions, direction);
    routine.flag(isReverse).flag(isBatchFirst);
    routine.flag(call.flag(gates == 4 ? "input_forget" : "linear_before_reset", false));
    routine.real(call.real("clip", Double.POSITIVE_INFINITY));
    for (int i = 0; i < 3; i++) {
      if (i < functions.size()) {
        GateFunction function = functions.get(i);
        routine.function("gate_" + function.name());
        routine.real(function.alpha()).real(function.beta());
      } else {
        routine.none().numbers(0, 0);
      }
    }
    routine.in("0");
    routine.in("1", 0, direction * rows * width * bytes);
    routine.in("2", 0, direction * rows * hidden * bytes);
    routine.in("3", 0, direction * 2L * rows * bytes);
    routine.in("4").numbers(call.has("4") ? call.input("4").type().bytes() : 0);
    routine.in("5").in("6").in("7", 0, direction * 3L * hidden * bytes);
    routine.toOut("0").toOut("1").toOut("2").scratch(work);
  }

  private void check(String slot, long count) {
    if (!call.has(slot)) {
      return;
    }
    Tensor tensor = call.input(slot);
    if (tensor.type() != x.type() || !tensor.type().isFloating()) {
      throw new UncompiledException("computes with " + tensor.type());
    }
    if (tensor.length() != count) {
      throw new OperatorException(
          "input " + slot + " has the shape " + tensor.shape() + ", not " + count + " elements");
    }
  }

  private void checkLengths() {
    if (call.has("4")) {
      Tensor lengths = call.input("4");
      boolean isWhole = lengths.type() == ElementType.INT32 || lengths.type() == ElementType.INT64;
      if (!isWhole || lengths.length() != batch) {
        throw new OperatorException("sequence_lens " + lengths.shape() + " for " + batch);
      }
    }
  }
}
