package dev.sublet.operator.paddle.recurrent;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.List;

/** Shape rules for recurrent layers and for single steps. */
public final class RecurrentShapes {

  private RecurrentShapes() {}

  private static AbstractShape rows(AbstractShape input, SymbolicExtent width) {
    return AbstractShape.of(input.dim(0), width).withLod(input.lod());
  }

  /**
   * Returns the shape of the gates in an input slot, after a check that they are as wide as {@code
   * Weight}.
   */
  private static AbstractShape gates(ShapeCall call, String name) {
    AbstractShape input = call.in(name);
    AbstractShape weight = call.in("Weight");
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

  /**
   * Gives the outputs one row per row of {@code Input}: of all 4 gates in {@code BatchGate}, of one
   * frame in the others.
   */
  public static void lstm(ShapeCall call) {
    AbstractShape gates = gates(call, "Input");
    AbstractShape frames = rows(gates, gates.dim(1).floorDividedBy(4));
    call.out("Hidden", frames);
    call.out("Cell", frames);
    call.out("BatchGate", gates);
    call.out("BatchCellPreAct", frames);
  }

  /**
   * Gives the outputs the shapes of {@link #lstm}; {@code Projection} has the width of {@code
   * ProjWeight}.
   */
  public static void lstmProjected(ShapeCall call) {
    AbstractShape gates = gates(call, "Input");
    AbstractShape frames = rows(gates, gates.dim(1).floorDividedBy(4));
    call.out("Projection", rows(gates, call.in("ProjWeight").dim(1)));
    call.out("Cell", frames);
    call.out("BatchGate", gates);
    call.out("BatchCellPreAct", frames);
    call.out("BatchHidden", frames);
  }

  /**
   * Gives the outputs one row per row of {@code Input}: of all 3 gates in {@code BatchGate}, of one
   * frame in the others.
   */
  public static void gru(ShapeCall call) {
    AbstractShape gates = gates(call, "Input");
    AbstractShape frames = rows(gates, call.in("Weight").dim(0));
    call.out("Hidden", frames);
    call.out("BatchGate", gates);
    call.out("BatchResetHiddenPrev", frames);
    call.out("BatchHidden", frames);
  }

  /**
   * Gives, for one step, {@code Gate} the shape of {@code Input}, and the other outputs the shape
   * of {@code HiddenPrev}.
   */
  public static void gruUnit(ShapeCall call) {
    AbstractShape gates = gates(call, "Input");
    AbstractShape hidden = rows(gates, call.in("HiddenPrev").dim(1));
    call.out("Gate", gates);
    call.out("ResetHiddenPrev", hidden);
    call.out("Hidden", hidden);
  }

  /** Gives, for one step, {@code C} and {@code H} the shape of {@code C_prev}. */
  public static void lstmUnit(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape previous = call.in("C_prev");
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
   * Gives {@code Out} {@code hidden_size} numbers per step of each sequence, twice as many if
   * {@code is_bidirec}. The last states have the shapes of the first ones. cuDNN chooses the size
   * of its reserved memory.
   */
  public static void cudnnLstm(ShapeCall call) {
    call.out("Out", steps(call));
    call.out("LastH", call.in("InitH").withElements(null));
    call.out("LastC", call.in("InitC").withElements(null));
    reserve(call, "Reserve", "StateOut");
  }

  /** Gives the outputs the shapes of {@link #cudnnLstm}, with a list of states. */
  public static void rnn(ShapeCall call) {
    call.out("Out", steps(call));
    List<AbstractShape> states = call.all("PreState");
    for (int i = 0; i < states.size(); i++) {
      call.out("State", i, states.get(i).withElements(null));
    }
    reserve(call, "Reserve", "DropoutState");
  }

  private static AbstractShape steps(ShapeCall call) {
    AbstractShape input = call.in("Input");
    DimLists.checkRank(input, "Input", 3);
    int width = call.integer("hidden_size", 100) * (call.flag("is_bidirec", false) ? 2 : 1);
    return AbstractShape.of(input.dim(0), input.dim(1), SymbolicExtent.of(width));
  }

  private static void reserve(ShapeCall call, String... outputs) {
    for (String output : outputs) {
      call.out(output, AbstractShape.unknown("its size is the choice of the device's library"));
    }
  }

  /** Gives {@code Hidden} and {@code Cell} a quarter of the columns of {@code LSTMWeight}. */
  public static void attentionLstm(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent gates = call.in("LSTMWeight").dim(1);
    AbstractShape frames = rows(x, gates.floorDividedBy(4));
    SymbolicExtent one = SymbolicExtent.of(1);
    call.out("Hidden", frames);
    call.out("Cell", frames);
    call.out("AttentionedX", AbstractShape.of(x.dim(0), one));
    call.out("AttentionFCOut", AbstractShape.of(call.atMost("longest sequence", x.dim(0)), one));
    call.out("LSTMX", AbstractShape.of(one, x.dim(1)));
    call.out("LSTMOUT", AbstractShape.of(one, gates));
  }
}
