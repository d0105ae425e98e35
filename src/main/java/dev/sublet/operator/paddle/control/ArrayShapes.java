package dev.sublet.operator.paddle.control;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shapes of arrays of tensors, and of the choice of one of several tensors. What is known of an
 * array is what all its elements have in common, and how many there are.
 */
public final class ArrayShapes {

  private ArrayShapes() {}

  /** {@code Out} is the array with {@code X} as its element number {@code I}. */
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

  /** The element of a tensor of a single number; null if it is not followed. */
  public static @Nullable SymbolicExtent number(AbstractShape tensor) {
    return tensor.hasElements() && tensor.elements().size() == 1 ? tensor.elements().get(0) : null;
  }

  /** {@code Out} is one element of the array {@code X}. */
  static void read(ShapeCall call) {
    AbstractShape array = call.in("X");
    call.out(
        "Out",
        array.isEmptyArray()
            ? AbstractShape.unknown(array.reason())
            : call.another(array.withLength(null)));
  }

  /** {@code Out} is one number, how many elements the array {@code X} has. */
  static void length(ShapeCall call) {
    SymbolicExtent length = call.in("X").length();
    AbstractShape number = AbstractShape.of(1);
    call.out("Out", length == null ? number : number.withElements(ImmutableList.of(length)));
  }

  /**
   * {@code Out} is all elements of the array {@code X}, joined along {@code axis}, or along a new
   * axis there with {@code use_stack}; {@code OutIndex} is a number for each of them.
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

  /** {@code Out} is the one of the {@code X} whose number is {@code Mask}. */
  static void selectInput(ShapeCall call) {
    List<AbstractShape> choices = call.all("X");
    SymbolicExtent number = number(call.in("Mask"));
    if (number != null && number.isConstant() && number.asLong() < choices.size()) {
      call.out("Out", choices.get((int) number.asLong()));
      return;
    }
    AbstractShape joined = call.in("X");
    for (AbstractShape choice : choices) {
      joined = call.either(joined, choice);
    }
    call.out("Out", joined);
  }

  /** One of {@code Out} is {@code X}; the others are not written. */
  static void selectOutput(ShapeCall call) {
    for (int i = 0; i < call.outputs("Out"); i++) {
      call.out("Out", i, call.in("X"));
    }
  }

  /** Each output of these slots is like the input of the same position. */
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
