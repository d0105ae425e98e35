package dev.sublet.operator.paddle.control;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shape rules for tensor arrays, and for the choice of one of several tensors.
 *
 * <p>The abstract shape of an array states the properties that all its elements share, and their
 * number.
 */
public final class ArrayShapes {

  private ArrayShapes() {}

  /** Gives {@code Out} the array after {@code X} becomes its element number {@code I}. */
  static void write(ShapeCall call) {
    AbstractShape x = call.in("X").withLength(null);
    AbstractShape before = call.before("Out");
    if (before == null) {
      before = AbstractShape.emptyArray();
    }
    AbstractShape after = before.isEmptyArray() ? x : call.either(before.withLength(null), x);
    call.out("Out", after.withLength(lengthWith(call, before.length())));
  }

  private static @Nullable SymbolicExtent lengthWith(
      ShapeCall call, @Nullable SymbolicExtent length) {
    if (length == null) {
      return null;
    }
    SymbolicExtent index = number(call.in("I"));
    return index == null
        ? call.unknown("length", "the length of the array depends on the data")
        : length.max(index.plus(1));
  }

  /** Returns the element of a tensor with a single element; null if it is not tracked. */
  public static @Nullable SymbolicExtent number(AbstractShape tensor) {
    return tensor.hasElements() && tensor.elements().size() == 1 ? tensor.elements().get(0) : null;
  }

  /**
   * Gives {@code Out} the shape of one element of the array {@code X}, or of {@code X_W}: the
   * gradient of an element that has none yet is zero.
   */
  static void read(ShapeCall call) {
    AbstractShape array = call.in("X");
    AbstractShape element = array.withLength(null);
    if (call.has("X_W")) {
      AbstractShape zeros = call.in("X_W").withElements(null);
      call.out("Out", call.another(array.isEmptyArray() ? zeros : call.either(element, zeros)));
    } else {
      call.out(
          "Out",
          array.isEmptyArray() ? AbstractShape.unknown(array.reason()) : call.another(element));
    }
  }

  /** Gives {@code Out} one number, the number of elements of the array {@code X}. */
  static void length(ShapeCall call) {
    SymbolicExtent length = call.in("X").length();
    AbstractShape number = AbstractShape.of(1);
    call.out("Out", length == null ? number : number.withElements(ImmutableList.of(length)));
  }

  /**
   * Gives {@code Out} all elements of the array {@code X}, joined along {@code axis}, or with
   * {@code use_stack} along a new axis there. {@code OutIndex} has one number per element.
   */
  static void toTensor(ShapeCall call) {
    AbstractShape array = call.in("X");
    SymbolicExtent length = array.length();
    if (length == null) {
      length = call.unknown("length", "the length of the array is not known");
    }
    call.out("OutIndex", AbstractShape.of(length));
    boolean stacks = call.flag("use_stack", false);
    int axis = call.axis(call.integer("axis", 0), array.rank() + (stacks ? 1 : 0));
    AbstractShape each = call.another(array.withLength(null));
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    dims.addAll(each.dims().subList(0, axis));
    if (stacks) {
      dims.add(length).addAll(each.dims().subList(axis, each.rank()));
    } else {
      SymbolicExtent extent = array.dim(axis);
      SymbolicExtent joined = extent.times(length);
      dims.add(extent.isExact() ? joined : call.atMost("joined", joined));
      dims.addAll(each.dims().subList(axis + 1, each.rank()));
    }
    call.out("Out", AbstractShape.of(dims.build()));
  }

  /**
   * Gives {@code Out} the shape of the {@code X} that {@code Mask} selects; the join of all {@code
   * X} if the value of {@code Mask} is not constant.
   */
  static void selectInput(ShapeCall call) {
    List<AbstractShape> choices = call.all("X");
    AbstractShape joined = call.in("X");
    AbstractShape possible = null;
    boolean isOneMissing = false;
    boolean outgrows = false;
    for (AbstractShape choice : choices) {
      joined = call.either(joined, choice);
      outgrows |= call.outgrowsDeclaration("Out", choice);
      if (choice.isMissingNow()) {
        isOneMissing = true;
      } else {
        possible = possible == null ? choice : call.either(possible, choice);
      }
    }
    SymbolicExtent number = number(call.in("Mask"));
    if (number != null && number.isExact() && number.asLong() < choices.size()) {
      AbstractShape chosen = choices.get((int) number.asLong());
      call.out("Out", number.isConstant() ? chosen : call.inThisRun(chosen, joined));
    } else if (isOneMissing && possible != null) {
      call.out("Out", call.inThisRun(possible, joined));
    } else if (outgrows && !(joined.hasRank() && joined.count().isKnown())) {
      // A declaration that one choice contradicts tells nothing about the other choices.
      call.out("Out", ShapeCall.varying("a choice is larger than what is declared"));
    } else {
      call.out("Out", joined);
    }
  }

  /** Gives every {@code Out} the shape of {@code X}; the operator writes only one of them. */
  static void selectOutput(ShapeCall call) {
    for (int i = 0; i < call.outputs("Out"); i++) {
      call.out("Out", i, call.in("X"));
    }
  }

  /**
   * Returns a rule that gives each output of some slots the shape of the input with the same
   * position.
   */
  static ShapeRule pairwise(String inputs, String... outputs) {
    return call -> {
      List<AbstractShape> tensors = call.all(inputs);
      for (String slot : outputs) {
        for (int i = 0; i < tensors.size(); i++) {
          call.out(slot, i, tensors.get(i));
        }
      }
    };
  }
}
