package dev.sublet.operator.spec;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.infer.ShapeRule;
import org.jspecify.annotations.Nullable;

/**
 * The specification of one operator type: its effects on variables, in-place pairs, views, LoD flow
 * and shape rule.
 *
 * @param type the operator type
 * @param known whether the catalog lists the type; if not, all other properties are the worst case
 * @param control how the operator runs its blocks
 * @param outputEffects effects of single output slots; a slot not listed has the default effect
 * @param defaultEffect the effect on the other output slots
 * @param keptIfEmpty output slots whose variables keep their old value if an input has no element
 * @param addedTo output slots in which a tensor array keeps its elements and gets more
 * @param writtenInputs input slots whose variables the operator modifies
 * @param inPlacePairs the outputs that can take the buffer of an input, in table order
 * @param lodRule the flow of sequence information (LoD) from inputs to outputs
 * @param lodSources the input slots whose LoD can be passed on; empty if every input slot's can
 * @param lodReplaced output slots whose LoD the operator always replaces: by an input's LoD, even
 *     if that is empty, or by the operator's own. A variable in any other output slot keeps its old
 *     LoD if the operator sets none
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
    boolean known,
    ControlKind control,
    ImmutableMap<String, Effect> outputEffects,
    Effect defaultEffect,
    ImmutableSet<String> keptIfEmpty,
    ImmutableSet<String> addedTo,
    ImmutableSet<String> writtenInputs,
    ImmutableList<InPlacePair> inPlacePairs,
    LodRule lodRule,
    ImmutableSet<String> lodSources,
    ImmutableSet<String> lodReplaced,
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

  public OperatorSpec {
    requireNonNull(type, "type");
    requireNonNull(control, "control");
    requireNonNull(outputEffects, "outputEffects");
    requireNonNull(defaultEffect, "defaultEffect");
    requireNonNull(keptIfEmpty, "keptIfEmpty");
    requireNonNull(addedTo, "addedTo");
    requireNonNull(writtenInputs, "writtenInputs");
    requireNonNull(inPlacePairs, "inPlacePairs");
    requireNonNull(lodRule, "lodRule");
    requireNonNull(lodSources, "lodSources");
    requireNonNull(lodReplaced, "lodReplaced");
    requireNonNull(hostOutputs, "hostOutputs");
    requireNonNull(noNeedBuffer, "noNeedBuffer");
  }

  /** The spec of a type that the catalog does not list. */
  public static OperatorSpec unknown(String type) {
    return new OperatorSpec(
        type,
        /* known= */ false,
        ControlKind.NONE,
        ImmutableMap.of(),
        Effect.MAY_WRITE,
        ImmutableSet.of(),
        ImmutableSet.of(),
        ImmutableSet.of(),
        ImmutableList.of(),
        LodRule.PASSES,
        ImmutableSet.of(),
        ImmutableSet.of(),
        ImmutableSet.of(),
        ImmutableSet.of(),
        /* aliasesBefore= */ 0,
        /* viewRule= */ null,
        /* shapeRule= */ null);
  }

  /**
   * Whether this is an operator of ONNX and not of Paddle. An ONNX type begins with a capital
   * letter or contains a dot after its domain ({@code Conv}, {@code com.microsoft.Gelu}); a Paddle
   * type does neither.
   */
  public boolean isOnnx() {
    return type.indexOf('.') >= 0 || (!type.isEmpty() && Ascii.isUpperCase(type.charAt(0)));
  }

  /** Whether outputs may carry the LoD of inputs in this slot. */
  public boolean passesLodOf(String slot) {
    return lodRule == LodRule.PASSES && (lodSources.isEmpty() || lodSources.contains(slot));
  }

  /**
   * Whether outputs may share the buffers of inputs when a runtime executes a program of this
   * version. Version 0 stands for any version.
   */
  public boolean aliases(long version) {
    return version == 0 ? aliasesBefore > 0 : version < aliasesBefore;
  }

  /**
   * The effect on a variable in an output slot. If the variable is also an input of the same
   * operator, the operator reads it as well, and its write never counts as a kill; the caller must
   * handle that case.
   */
  public Effect outputEffect(String slot) {
    return outputEffects.getOrDefault(slot, defaultEffect);
  }

  /**
   * The effect on a variable in an output slot of one call.
   *
   * @param isArray whether the variable is an array of tensors
   * @param mayBeEmpty whether an input may have no element when the operator runs
   */
  public Effect outputEffect(String slot, boolean isArray, boolean mayBeEmpty) {
    if (isArray && addedTo.contains(slot)) {
      return Effect.READ_WRITE;
    }
    Effect effect = outputEffect(slot);
    boolean mayBeKept = mayBeEmpty && effect == Effect.MUST_WRITE && keptIfEmpty.contains(slot);
    return mayBeKept ? Effect.MAY_WRITE : effect;
  }
}
