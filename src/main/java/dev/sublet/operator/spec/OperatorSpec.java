package dev.sublet.operator.spec;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.program.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The specification of one operator type: its effects on variables, in-place pairs, views, LoD flow
 * and shape rule.
 *
 * @param type the operator type
 * @param order the order that the operator keeps apart from its arguments; {@link
 *     OrderRule#UNKNOWN} if the catalog does not list the type, and then all other properties are
 *     the worst case
 * @param control how the operator runs its blocks
 * @param effects the effects on the variables in output slots
 * @param writtenInputs input slots whose variables the operator modifies
 * @param inPlacePairs the outputs that can take the buffer of an input, in table order
 * @param lod the flow of sequence information (LoD) from inputs to outputs
 * @param hostOutputs output slots that are on the CPU even when the program runs on a GPU
 * @param noNeedBuffer input slots of which the operator reads only the shape
 * @param aliasesBefore the first program version whose runtimes do not let outputs share the
 *     buffers of inputs (as share_data does); 0 if no version does, {@link #EVERY_VERSION} if all
 *     may
 * @param viewRule the rule that finds arguments that are views of each other; null if there is none
 * @param shapeRule the rule that infers the outputs' shapes from the inputs; null if there is none
 */
public record OperatorSpec(
    String type,
    OrderRule order,
    ControlKind control,
    OutputEffects effects,
    ImmutableSet<String> writtenInputs,
    ImmutableList<InPlacePair> inPlacePairs,
    LodFlow lod,
    ImmutableSet<String> hostOutputs,
    ImmutableSet<String> noNeedBuffer,
    long aliasesBefore,
    @Nullable ViewRule viewRule,
    @Nullable ShapeRule shapeRule) {

  /**
   * The value of {@code aliasesBefore} for an operator whose outputs may share the buffers of
   * inputs in every version.
   */
  static final long EVERY_VERSION = Long.MAX_VALUE;

  /** The spec of a type that the catalog does not list. */
  public static OperatorSpec unknown(String type) {
    return new OperatorSpec(
        type,
        OrderRule.UNKNOWN,
        ControlKind.NONE,
        OutputEffects.all(Effect.MAY_WRITE),
        /* writtenInputs= */ ImmutableSet.of(),
        ImmutableList.of(),
        LodFlow.fromAnyInput(),
        /* hostOutputs= */ ImmutableSet.of(),
        /* noNeedBuffer= */ ImmutableSet.of(),
        /* aliasesBefore= */ 0,
        /* viewRule= */ null,
        /* shapeRule= */ null);
  }

  /**
   * Applies the shape rule to a call, if there is one. Keeps the sequence offsets that it states
   * only where they are confirmed.
   *
   * @throws UnknownShapeException if a number that the rule needs is not known; the outputs that it
   *     has set are valid
   * @throws ShapeMismatchException if the operator does not accept these shapes
   */
  public void inferShapes(ShapeCall call) {
    if (shapeRule == null) {
      return;
    }
    try {
      shapeRule.infer(call);
    } finally {
      lod.keepConfirmed(call);
    }
  }

  /** Whether runs have confirmed that a runtime rejects all inputs that the shape rule rejects. */
  public boolean rejectsSurely() {
    return shapeRule != null && shapeRule.rejectsSurely();
  }

  /** Whether the catalog lists the type. */
  public boolean known() {
    return order != OrderRule.UNKNOWN;
  }

  /**
   * The order that a call of the operator keeps apart from its arguments. An attribute about a seed
   * makes an operator ordered, unless the call is a test. O(attributes).
   */
  public OrderRule order(Operation operation) {
    boolean isTest = operation.flag("is_test");
    if (order == OrderRule.ORDERED_IN_TRAINING) {
      return isTest ? OrderRule.FREE : OrderRule.ORDERED;
    }
    boolean isRandom =
        order == OrderRule.FREE
            && !isTest
            && operation.attributes().stream().anyMatch(each -> each.name().contains("seed"));
    return isRandom ? OrderRule.ORDERED : order;
  }

  /**
   * Whether this is an operator of ONNX and not of Paddle. An ONNX type begins with a capital
   * letter or contains a dot after its domain ({@code Conv}, {@code com.microsoft.Gelu}); a Paddle
   * type does neither.
   */
  public boolean isOnnx() {
    return type.indexOf('.') >= 0 || (!type.isEmpty() && Ascii.isUpperCase(type.charAt(0)));
  }

  /**
   * Whether outputs may share the buffers of inputs when a runtime executes a program of this
   * version. Version 0 stands for any version, and so does a negative one.
   */
  public boolean aliases(long version) {
    return aliasesBefore > 0 && version < aliasesBefore;
  }
}
