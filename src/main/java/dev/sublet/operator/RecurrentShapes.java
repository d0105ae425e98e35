package dev.sublet.operator;

import java.util.List;

/** Shapes of recurrent layers and of single steps. */
final class RecurrentShapes {

  private RecurrentShapes() {}

  private static AbstractTensor rows(AbstractTensor input, Quantity width) {
    return AbstractTensor.of(input.dim(0), width).withLod(input.lod());
  }

  /** The gates of an input, if they have the width that the weight has. */
  private static AbstractTensor gates(ShapeCall call, String name) {
    AbstractTensor input = call.in(name);
    AbstractTensor weight = call.in("Weight");
    DimLists.checkRank(input, name, 2);
    DimLists.checkEqual(
        input.dim(1),
        weight.dim(1),
        "%s %s has %s columns, but Weight %s has %s",
        name,
        input,
        input.dim(1),
        weight,
        weight.dim(1));
    return input.withElements(null);
  }

  /** A row for each of {@code Input}: of 4 gates in {@code BatchGate}, else of the frame. */
  static void lstm(ShapeCall call) {
    AbstractTensor gates = gates(call, "Input");
    AbstractTensor frames = rows(gates, gates.dim(1).floorDividedBy(4));
    call.out("Hidden", frames);
    call.out("Cell", frames);
    call.out("BatchGate", gates);
    call.out("BatchCellPreAct", frames);
  }

  /** The same, and {@code Projection} has the width of {@code ProjWeight}. */
  static void lstmProjected(ShapeCall call) {
    AbstractTensor gates = gates(call, "Input");
    AbstractTensor frames = rows(gates, gates.dim(1).floorDividedBy(4));
    call.out("Projection", rows(gates, call.in("ProjWeight").dim(1)));
    call.out("Cell", frames);
    call.out("BatchGate", gates);
    call.out("BatchCellPreAct", frames);
    call.out("BatchHidden", frames);
  }

  /** A row for each of {@code Input}: of 3 gates in {@code BatchGate}, else of the frame. */
  static void gru(ShapeCall call) {
    AbstractTensor gates = gates(call, "Input");
    AbstractTensor frames = rows(gates, call.in("Weight").dim(0));
    call.out("Hidden", frames);
    call.out("BatchGate", gates);
    call.out("BatchResetHiddenPrev", frames);
    call.out("BatchHidden", frames);
  }

  /** One step: {@code Gate} is like {@code Input}, the others like {@code HiddenPrev}. */
  static void gruUnit(ShapeCall call) {
    AbstractTensor gates = gates(call, "Input");
    AbstractTensor hidden = rows(gates, call.in("HiddenPrev").dim(1));
    call.out("Gate", gates);
    call.out("ResetHiddenPrev", hidden);
    call.out("Hidden", hidden);
  }

  /** One step: {@code C} and {@code H} are like {@code C_prev}. */
  static void lstmUnit(ShapeCall call) {
    AbstractTensor x = call.in("X");
    AbstractTensor previous = call.in("C_prev");
    DimLists.checkEqual(
        x.dim(1),
        previous.dim(1).times(4),
        "X %s does not have 4 times the columns of C_prev %s",
        x,
        previous);
    call.out("C", rows(x, previous.dim(1)));
    call.out("H", rows(x, previous.dim(1)));
  }

  /**
   * {@code Out}: for each step of each sequence {@code hidden_size} numbers, twice if {@code
   * is_bidirec}. The last states are like the first ones. What cuDNN reserves is its choice.
   */
  static void cudnnLstm(ShapeCall call) {
    call.out("Out", steps(call));
    call.out("LastH", call.in("InitH").withElements(null));
    call.out("LastC", call.in("InitC").withElements(null));
    reserve(call, "Reserve", "StateOut");
  }

  /** The same, with a list of states. */
  static void rnn(ShapeCall call) {
    call.out("Out", steps(call));
    List<AbstractTensor> states = call.all("PreState");
    for (int i = 0; i < states.size(); i++) {
      call.out("State", i, states.get(i).withElements(null));
    }
    reserve(call, "Reserve", "DropoutState");
  }

  private static AbstractTensor steps(ShapeCall call) {
    AbstractTensor input = call.in("Input");
    DimLists.checkRank(input, "Input", 3);
    int width = call.integer("hidden_size", 100) * (call.flag("is_bidirec", false) ? 2 : 1);
    return AbstractTensor.of(input.dim(0), input.dim(1), Quantity.of(width));
  }

  private static void reserve(ShapeCall call, String... outputs) {
    for (String output : outputs) {
      call.out(output, AbstractTensor.unknown("its size is the choice of the device's library"));
    }
  }

  /** {@code Hidden} and {@code Cell} have a quarter of the columns of {@code LSTMWeight}. */
  static void attentionLstm(ShapeCall call) {
    AbstractTensor x = call.in("X");
    Quantity gates = call.in("LSTMWeight").dim(1);
    AbstractTensor frames = rows(x, gates.floorDividedBy(4));
    Quantity one = Quantity.of(1);
    call.out("Hidden", frames);
    call.out("Cell", frames);
    call.out("AttentionedX", AbstractTensor.of(x.dim(0), one));
    call.out("AttentionFCOut", AbstractTensor.of(call.atMost("longest sequence", x.dim(0)), one));
    call.out("LSTMX", AbstractTensor.of(one, x.dim(1)));
    call.out("LSTMOUT", AbstractTensor.of(one, gates));
  }
}
