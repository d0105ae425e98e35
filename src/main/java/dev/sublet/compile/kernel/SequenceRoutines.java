package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.List;

/** Sums over sequences of rows and recurrent layers over them in C. The sequences are known. */
final class SequenceRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "sequence_conv", SequenceRoutines::convolve,
          "sequence_pool", SequenceRoutines::pool,
          "sequence_softmax", SequenceRoutines::softmax,
          "gru", SequenceRoutines::gru,
          "lstm", SequenceRoutines::lstm);

  private static final List<String> POOLINGS =
      List.of("SUM", "AVERAGE", "SQRT", "MAX", "FIRST", "LAST");

  private SequenceRoutines() {}

  private static Tensor floats(OperatorCall call, String slot) {
    Tensor tensor = call.input(slot);
    if (tensor.type() != ElementType.FLOAT32) {
      throw new OperatorException("a tensor of " + tensor.type() + ", not float32");
    }
    return tensor;
  }

  private static CRoutine pool(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    int kind = POOLINGS.indexOf(call.text("pooltype", "AVERAGE"));
    if (kind < 0) {
      throw new OperatorException("pooling of type " + call.text("pooltype", ""));
    }
    long count = offsets.length() - 1L;
    long[] shape = Shapes.with(floats(call, "X").shape().toArray(), 0, count);
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("Out", ElementType.FLOAT32, shape);
    routine.withLod("Out", x.lod().subList(0, x.lod().size() - 1));
    if (call.text("pooltype", "AVERAGE").equals("MAX")) {
      routine.declare("MaxIndex", ElementType.INT32, shape);
    }
    routine.call("sequence_pool").numbers(count, Slices.width(x.tensor()), kind);
    routine.real((float) call.real("pad_value", 0)).list(offsets);
    return routine.in("X").toOut("Out").toOut("MaxIndex").build();
  }

  private static CRoutine softmax(OperatorCall call) {
    ImmutableLongArray offsets = Rows.offsets(call.lodInput("X"));
    Tensor x = floats(call, "X");
    if (offsets.get(offsets.length() - 1) != x.length()) {
      throw new OperatorException("a softmax over sequences of rows that are not one number each");
    }
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("Out", ElementType.FLOAT32, x.shape().toArray());
    routine.withLod("Out", call.lodInput("X").lod());
    routine.call("sequence_softmax").numbers(offsets.length() - 1L).list(offsets);
    return routine.in("X").toOut("Out").build();
  }

  private static CRoutine convolve(OperatorCall call) {
    if (call.flag("paddingTrainable", false) || call.integer("contextStride", 1) != 1) {
      throw new OperatorException("a sequence convolution with trained padding or a stride");
    }
    ImmutableLongArray offsets = Rows.offsets(call.lodInput("X"));
    Tensor x = floats(call, "X");
    long width = Slices.width(x);
    long length = call.integer("contextLength", 3);
    ImmutableLongArray filter = call.shape("Filter", 2);
    if (filter.get(0) != length * width || floats(call, "Filter").length() == 0) {
      throw new OperatorException("Filter has the shape " + filter + " for rows of " + width);
    }
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("Out", ElementType.FLOAT32, x.size(0), filter.get(1));
    routine.withLod("Out", call.lodInput("X").lod());
    routine.call("sequence_conv");
    routine.numbers(offsets.length() - 1L, width, filter.get(1), length);
    routine.numbers(call.integer("contextStart", 0)).list(offsets);
    return routine.in("X").in("Filter").toOut("Out").build();
  }

  /** A recurrent layer whose rows a matrix product has computed. */
  private record Layer(
      OperatorCall call, long width, ImmutableLongArray offsets, RoutineBuilder routine) {

    static Layer of(OperatorCall call, int gates) {
      long width = call.shape("Weight", 2).get(0);
      ImmutableLongArray offsets = Rows.offsets(call.lodInput("Input"));
      long biases = call.has("Bias") ? floats(call, "Bias").length() : gates * width;
      if (call.shape("Input", 2).get(1) != gates * width
          || floats(call, "Input").type() != floats(call, "Weight").type()
          || call.input("Weight").length() != gates * width * width
          || biases < gates * width) {
        throw new OperatorException(
            "an input of " + call.shape("Input") + " for a weight of " + call.shape("Weight"));
      }
      for (String slot : List.of("H0", "C0")) {
        if (call.has(slot)) {
          floats(call, slot);
          Rows.checkLike(call, slot, offsets.length() - 1L, width);
        }
      }
      return new Layer(call, width, offsets, new RoutineBuilder(call));
    }

    void declare(String slot) {
      routine.declare(slot, ElementType.FLOAT32, call.shape("Input").get(0), width);
      routine.withLod(slot, call.lodInput("Input").lod());
    }

    void activation(String attribute, String absent) {
      String name = call.text(attribute, absent);
      if (!List.of("sigmoid", "tanh", "relu", "identity").contains(name)) {
        throw new OperatorException("activation " + name);
      }
      routine.function("gate_" + name);
    }
  }

  private static CRoutine gru(OperatorCall call) {
    Layer layer = Layer.of(call, 3);
    layer.declare("Hidden");
    RoutineBuilder routine = layer.routine();
    Place work = routine.reserve(4 * 5 * layer.width());
    routine.call("sequence_gru").numbers(layer.offsets().length() - 1L, layer.width());
    routine.flag(call.flag("is_reverse", false)).flag(call.flag("origin_mode", false));
    routine.list(layer.offsets());
    layer.activation("gate_activation", "sigmoid");
    layer.activation("activation", "tanh");
    routine.in("Input").in("Weight").in("Bias").in("H0");
    return routine.toOut("Hidden").scratch(work).build();
  }

  private static CRoutine lstm(OperatorCall call) {
    Layer layer = Layer.of(call, 4);
    layer.declare("Hidden");
    layer.declare("Cell");
    boolean peeks =
        call.flag("use_peepholes", true)
            && call.has("Bias")
            && call.input("Bias").length() == 7 * layer.width();
    RoutineBuilder routine = layer.routine();
    Place work = routine.reserve(4 * 6 * layer.width());
    routine.call("sequence_lstm").numbers(layer.offsets().length() - 1L, layer.width());
    routine.flag(call.flag("is_reverse", false)).flag(peeks).list(layer.offsets());
    layer.activation("gate_activation", "sigmoid");
    layer.activation("cell_activation", "tanh");
    layer.activation("candidate_activation", "tanh");
    routine.in("Input").in("Weight").in("Bias").in("H0").in("C0");
    return routine.toOut("Hidden").toOut("Cell").scratch(work).build();
  }
}
