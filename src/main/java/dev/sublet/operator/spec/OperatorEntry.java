package dev.sublet.operator.spec;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ShapeRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The builder of one catalog entry.
 *
 * <pre>{@code
 * catalog.add("relu").inPlace("1.8,2.0").withGradient().inPlace("1.8,2.0");
 * }</pre>
 *
 * <p>Every method except {@link #withGradient} returns its own entry. Two effects for one slot are
 * an error in the catalog, which {@link #toSpec} finds.
 */
public final class OperatorEntry {

  private static final String GRADIENT_SUFFIX = "_grad";

  private final CatalogBuilder catalog;
  private final String type;
  private final ImmutableMap.Builder<String, Effect> effects = ImmutableMap.builder();
  private final ImmutableSet.Builder<String> keptIfEmpty = ImmutableSet.builder();
  private final ImmutableSet.Builder<String> addedTo = ImmutableSet.builder();
  private final ImmutableSet.Builder<String> writtenInputs = ImmutableSet.builder();
  private final List<InPlacePair> pairs = new ArrayList<>();
  private final ImmutableSet.Builder<String> hostOutputs = ImmutableSet.builder();
  private final ImmutableSet.Builder<String> noNeedBuffer = ImmutableSet.builder();
  private Effect defaultEffect = Effect.MUST_WRITE;
  private ControlKind control = ControlKind.NONE;
  private OrderRule order = OrderRule.FREE;
  private LodRule lodRule = LodRule.PASSES;
  private final ImmutableSet.Builder<String> lodSources = ImmutableSet.builder();
  private final ImmutableSet.Builder<String> lodReplaced = ImmutableSet.builder();
  private final ImmutableSet.Builder<String> lodStated = ImmutableSet.builder();
  private long aliasesBefore;
  private @Nullable ViewRule viewRule;
  private @Nullable ShapeRule shapeRule;

  OperatorEntry(CatalogBuilder catalog, String type) {
    this.catalog = catalog;
    this.type = type;
  }

  /**
   * Declares that these outputs may keep their old value or part of it, or may not be written at
   * all.
   */
  public OperatorEntry mayWrite(String... outputs) {
    return setEffects(Effect.MAY_WRITE, outputs);
  }

  /**
   * Declares that a runtime rejects all inputs that the shape rule rejects, as runs have confirmed.
   *
   * @throws NullPointerException if the entry has no shape rule so far
   */
  OperatorEntry rejectsSurely() {
    return shape(requireNonNull(shapeRule, type).confirmed());
  }

  /** Declares that no output is certain to be written. */
  public OperatorEntry mayWriteAll() {
    defaultEffect = Effect.MAY_WRITE;
    return this;
  }

  /**
   * Declares that the result depends on the old values of these outputs, though they are not
   * inputs.
   */
  public OperatorEntry readsAndWrites(String... outputs) {
    return setEffects(Effect.READ_WRITE, outputs);
  }

  /** Declares that these outputs keep their old value if an input has no element. */
  public OperatorEntry keepsIfEmpty(String... outputs) {
    keptIfEmpty.add(outputs);
    return this;
  }

  /** Declares that these outputs, if they are tensor arrays, keep their elements and get more. */
  public OperatorEntry addsToArrays(String... outputs) {
    addedTo.add(outputs);
    return this;
  }

  /** Declares that the operator modifies the variables in these input slots. */
  public OperatorEntry writesInputs(String... inputs) {
    writtenInputs.add(inputs);
    return this;
  }

  private OperatorEntry setEffects(Effect effect, String... outputs) {
    for (String output : outputs) {
      effects.put(output, effect);
    }
    return this;
  }

  /**
   * Declares the usual in-place pair: {@code X} to {@code Out}, or for a gradient operator {@code
   * Out@GRAD} to {@code X@GRAD}.
   */
  public OperatorEntry inPlace(String versions) {
    return type.endsWith(GRADIENT_SUFFIX)
        ? inPlace("Out@GRAD", "X@GRAD", versions)
        : inPlace("X", "Out", versions);
  }

  /**
   * Declares that the output can be computed in the input's buffer, for the versions that {@link
   * InPlaceVersions} derives from the listing.
   */
  public OperatorEntry inPlace(String input, String output, String versions) {
    pairs.add(InPlacePair.of(input, output, versions, InPlaceRuns.of(type, input, output)));
    return this;
  }

  /** Restricts the in-place pair that was added last to calls that meet this condition. */
  public OperatorEntry when(InPlaceCondition condition) {
    InPlacePair last = pairs.remove(pairs.size() - 1);
    pairs.add(
        new InPlacePair(
            last.input(), last.output(), last.versions(), condition, last.naming(), last.runs()));
    return this;
  }

  /**
   * Declares that the two sides of the pair that was added last can share a buffer but not a name.
   */
  public OperatorEntry underTwoNames() {
    return named(InPlacePair.Naming.APART);
  }

  /** Declares the same for calls that have an argument in one of these input slots. */
  public OperatorEntry underTwoNamesBeside(String... inputs) {
    return named(new InPlacePair.Naming(true, ImmutableSet.copyOf(inputs)));
  }

  private OperatorEntry named(InPlacePair.Naming naming) {
    InPlacePair last = pairs.remove(pairs.size() - 1);
    pairs.add(
        new InPlacePair(
            last.input(), last.output(), last.versions(), last.condition(), naming, last.runs()));
    return this;
  }

  /**
   * Declares the usual view: {@code Out} is all of {@code X}, or for a gradient operator {@code
   * X@GRAD} is all of {@code Out@GRAD}.
   */
  public OperatorEntry view() {
    return type.endsWith(GRADIENT_SUFFIX) ? view("Out@GRAD", "X@GRAD") : view("X", "Out");
  }

  /**
   * Declares that the output has the input's elements in the same order: only its shape may differ.
   */
  public OperatorEntry view(String input, String output) {
    return view(ViewRules.whole(input, output));
  }

  /** Declares the rule that finds the views among the arguments. */
  public OperatorEntry view(ViewRule rule) {
    viewRule = rule;
    return this;
  }

  /** Declares that the operator runs the block of its BLOCK attribute. */
  public OperatorEntry runsBlockAs(ControlKind kind) {
    control = kind;
    return this;
  }

  /** Declares the order that the operator keeps apart from its arguments. */
  public OperatorEntry keepsOrder(OrderRule rule) {
    order = rule;
    return this;
  }

  /** Declares that outputs may share the buffers of inputs at run time, in any version. */
  public OperatorEntry sharesBuffers() {
    return sharesBuffersBefore(OperatorSpec.EVERY_VERSION);
  }

  /**
   * Declares that outputs may share the buffers of inputs at run time in versions before this one.
   */
  public OperatorEntry sharesBuffersBefore(long version) {
    aliasesBefore = version;
    return this;
  }

  /** Declares that the outputs carry LoD, whatever the inputs carry. */
  public OperatorEntry producesLod() {
    lodRule = LodRule.PRODUCES;
    return this;
  }

  /**
   * Declares that the outputs carry no LoD. Use it only for operators that certainly take no LoD
   * from an input.
   */
  public OperatorEntry clearsLod() {
    lodRule = LodRule.CLEARS;
    return this;
  }

  /** Declares that outputs may carry the LoD of these inputs, and of no others. */
  public OperatorEntry passesLodOf(String... inputs) {
    lodSources.add(inputs);
    return this;
  }

  /**
   * The shape rule states the sequence offsets of these outputs, which no line of the facts can
   * judge because they are tables or come from a block. All others need runs: see {@code
   * lod-runs.txt}.
   */
  public OperatorEntry statesLod(String... outputs) {
    lodStated.add(outputs);
    return this;
  }

  /**
   * Declares that the LoD of these outputs is always replaced, by an input's LoD or the operator's
   * own: no output keeps the LoD that its variable had before.
   */
  public OperatorEntry replacesLod(String... outputs) {
    lodReplaced.add(outputs);
    return this;
  }

  /** Declares that these outputs are in CPU memory even if the program runs on a device. */
  public OperatorEntry onHost(String... outputs) {
    hostOutputs.add(outputs);
    return this;
  }

  /** Declares that the operator reads only the shape and LoD of these inputs, not the elements. */
  public OperatorEntry needsOnlyShapeOf(String... inputs) {
    noNeedBuffer.add(inputs);
    return this;
  }

  /** Declares the rule that infers the outputs' shapes from the inputs and attributes. */
  public OperatorEntry shape(ShapeRule rule) {
    shapeRule = rule;
    return this;
  }

  /** Starts the entry of this type's gradient operator, and returns the new entry. */
  public OperatorEntry withGradient() {
    return catalog.add(type + GRADIENT_SUFFIX).shape(GradientShapes::likeForward);
  }

  OperatorSpec toSpec() {
    return new OperatorSpec(
        type,
        order,
        control,
        new OutputEffects(
            effects.buildOrThrow(), defaultEffect, keptIfEmpty.build(), addedTo.build()),
        writtenInputs.build(),
        ImmutableList.copyOf(pairs),
        new LodFlow(
            lodRule,
            lodSources.build(),
            lodReplaced.build(),
            lodStated.addAll(LodEvidence.confirmed(type)).build()),
        hostOutputs.build(),
        noNeedBuffer.build(),
        aliasesBefore,
        viewRule,
        shapeRule);
  }
}
