package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ShapeRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the catalog while it is being written: {@code catalog.add("relu").inPlace("1.8,2.0")
 * .withGradient().inPlace("1.8,2.0")}. Every method but {@link #withGradient} returns its own
 * entry. A slot that is given two effects is an error of the catalog, found by {@link #toSpec}.
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
  private LodRule lodRule = LodRule.PASSES;
  private final ImmutableSet.Builder<String> lodSources = ImmutableSet.builder();
  private final ImmutableSet.Builder<String> lodReplaced = ImmutableSet.builder();
  private long aliasesBefore;
  private @Nullable ViewRule viewRule;
  private @Nullable ShapeRule shapeRule;

  OperatorEntry(CatalogBuilder catalog, String type) {
    this.catalog = catalog;
    this.type = type;
  }

  /** These outputs may keep their old value, or part of it, or not be written at all. */
  public OperatorEntry mayWrite(String... outputs) {
    return setEffects(Effect.MAY_WRITE, outputs);
  }

  /** No output is sure to be written. */
  public OperatorEntry mayWriteAll() {
    defaultEffect = Effect.MAY_WRITE;
    return this;
  }

  /** The operator's result depends on what these outputs held, though they are not inputs. */
  public OperatorEntry readsAndWrites(String... outputs) {
    return setEffects(Effect.READ_WRITE, outputs);
  }

  /** These outputs keep their old value if an input has no element. */
  public OperatorEntry keepsIfEmpty(String... outputs) {
    keptIfEmpty.add(outputs);
    return this;
  }

  /** If these outputs are arrays, they keep what they hold and get more. */
  public OperatorEntry addsToArrays(String... outputs) {
    addedTo.add(outputs);
    return this;
  }

  /** The operator changes the variables in these input slots. */
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

  /** The usual in-place pair: {@code X} to {@code Out}, for gradients the two backwards. */
  public OperatorEntry inPlace(String versions) {
    return type.endsWith(GRADIENT_SUFFIX)
        ? inPlace("Out@GRAD", "X@GRAD", versions)
        : inPlace("X", "Out", versions);
  }

  /** The output can be computed in the input's buffer; {@link InPlaceVersions} says when. */
  public OperatorEntry inPlace(String input, String output, String versions) {
    pairs.add(InPlacePair.of(input, output, versions, InPlaceRuns.of(type, input, output)));
    return this;
  }

  /** The pair that was added last is for calls that meet this condition. */
  public OperatorEntry when(InPlaceCondition condition) {
    InPlacePair last = pairs.remove(pairs.size() - 1);
    pairs.add(
        new InPlacePair(
            last.input(), last.output(), last.versions(), condition, last.naming(), last.runs()));
    return this;
  }

  /** The two sides of the pair that was added last share a buffer, and no name. */
  public OperatorEntry underTwoNames() {
    return named(InPlacePair.Naming.APART);
  }

  /** The same beside these inputs. */
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
   * The usual view: {@code Out} is all of {@code X}, for gradients {@code X@GRAD} all of theirs.
   */
  public OperatorEntry view() {
    return type.endsWith(GRADIENT_SUFFIX) ? view("Out@GRAD", "X@GRAD") : view("X", "Out");
  }

  /** The output has the input's elements, in their order: only its shape may differ. */
  public OperatorEntry view(String input, String output) {
    return view(ViewRules.whole(input, output));
  }

  /** Arguments are views of each other as the rule says. */
  public OperatorEntry view(ViewRule rule) {
    viewRule = rule;
    return this;
  }

  /** The operator runs the block of its BLOCK attribute. */
  public OperatorEntry runsBlockAs(ControlKind kind) {
    control = kind;
    return this;
  }

  /** Outputs share the buffers of inputs at run time, in some version at least. */
  public OperatorEntry sharesBuffers() {
    return sharesBuffersBefore(OperatorSpec.EVERY_VERSION);
  }

  /** Outputs share the buffers of inputs at run time, but not from this version on. */
  public OperatorEntry sharesBuffersBefore(long version) {
    aliasesBefore = version;
    return this;
  }

  /** The outputs carry LoD, whatever the inputs carry. */
  public OperatorEntry producesLod() {
    lodRule = LodRule.PRODUCES;
    return this;
  }

  /** The outputs carry no LoD. Only for what surely takes none over from an input. */
  public OperatorEntry clearsLod() {
    lodRule = LodRule.CLEARS;
    return this;
  }

  /** Outputs may carry the LoD of these inputs, and of no others. */
  public OperatorEntry passesLodOf(String... inputs) {
    lodSources.add(inputs);
    return this;
  }

  /**
   * The LoD of these outputs is replaced in any case, by an input's or the operator's own: what the
   * variable had before does not show through.
   */
  public OperatorEntry replacesLod(String... outputs) {
    lodReplaced.add(outputs);
    return this;
  }

  /** These outputs are on the CPU, on whatever the program runs. */
  public OperatorEntry onHost(String... outputs) {
    hostOutputs.add(outputs);
    return this;
  }

  /** Of these inputs the operator reads the shape and LoD, not the elements. */
  public OperatorEntry needsOnlyShapeOf(String... inputs) {
    noNeedBuffer.add(inputs);
    return this;
  }

  /** The outputs' shapes follow from the inputs and attributes so. */
  public OperatorEntry shape(ShapeRule rule) {
    shapeRule = rule;
    return this;
  }

  /** Starts the entry of this type's gradient operator, and returns that one. */
  public OperatorEntry withGradient() {
    return catalog.add(type + GRADIENT_SUFFIX).shape(GradientShapes::likeForward);
  }

  OperatorSpec toSpec() {
    return new OperatorSpec(
        type,
        /* known= */ true,
        control,
        effects.buildOrThrow(),
        defaultEffect,
        keptIfEmpty.build(),
        addedTo.build(),
        writtenInputs.build(),
        ImmutableList.copyOf(pairs),
        lodRule,
        lodSources.build(),
        lodReplaced.build(),
        hostOutputs.build(),
        noNeedBuffer.build(),
        aliasesBefore,
        viewRule,
        shapeRule);
  }
}
