package dev.sublet.operator.spec;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.infer.ShapeRule;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one operator type.
 *
 * @param type the operator type
 * @param known whether the catalog lists the type; if not, everything here is the worst case
 * @param control how the operator runs its blocks
 * @param outputEffects effects of single output slots; a slot not listed has the default effect
 * @param defaultEffect the effect on the other output slots
 * @param keptIfEmpty output slots that stay as they are if an input has no element
 * @param addedTo output slots in which an array keeps what it holds, and gets more
 * @param writtenInputs input slots whose variables the operator changes
 * @param inPlacePairs which outputs can take the buffer of which inputs, in table order
 * @param lodRule what happens to sequence information
 * @param lodSources the input slots whose sequence information can be passed on; empty if those of
 *     any slot can
 * @param lodReplaced output slots whose sequence information the operator replaces in any case: by
 *     that of an input, even if it has none, or by its own. Other outputs keep what the variable
 *     had before where there is nothing to be said
 * @param hostOutputs output slots that are on the CPU even when the program runs on a GPU
 * @param noNeedBuffer input slots of which only the shape is read
 * @param aliasesBefore the first program version whose runtimes do not let outputs share the
 *     buffers of inputs (as share_data does); 0 if none does, {@link #EVERY_VERSION} if all may
 * @param viewRule which arguments are views of each other; null if none is
 * @param shapeRule how the outputs' shapes follow from the inputs; null if there is no rule
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

  /** The bound of an operator that may let outputs share the buffers of inputs in any version. */
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
   * Whether this is an operator of ONNX and not of Paddle: ONNX's types begin with a capital letter
   * or have their domain and a dot in front ({@code Conv}, {@code com.microsoft.Gelu}), Paddle's
   * never do.
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
   * version; version 0 may be any.
   */
  public boolean aliases(long version) {
    return version == 0 ? aliasesBefore > 0 : version < aliasesBefore;
  }

  /**
   * The effect on a variable in an output slot. A variable that is also an input of the same
   * operator is read as well, and a write to it never counts as a kill; that is the caller's to
   * see.
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
