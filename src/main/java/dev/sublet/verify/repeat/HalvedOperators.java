package dev.sublet.verify.repeat;

import com.google.common.collect.BiMap;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.ImmutableList;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.OperatorEdits.SplitPart;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.RowOperators;
import dev.sublet.shape.RowOperators.RowTensors;
import dev.sublet.verify.graph.OperatorForms;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Operators that run on the first half of a batch and then on the second one.
 *
 * <pre>
 *   a1 = slice(a); b1 = conv(a1); c1 = relu(b1)
 *   a2 = slice(a); b2 = conv(a2); c2 = relu(b2); c = concat(c1, c2)
 *
 *   undone: b = conv(a); c = relu(b)
 * </pre>
 *
 * <p>The halves are followed from the concat back to two slices of one tensor that are all of its
 * rows. Corresponding operators have one form and the same parameters, and compute row by row. They
 * may be a chain, or have paths beside each other, such as an activation and its input that are
 * multiplied. Nothing else reads the halves. The undone operators run in the place of the concat,
 * so the tensor and the parameters must keep their values until there.
 */
final class HalvedOperators {

  /**
   * Operators that do the same on the two halves.
   *
   * @param first the node of the first half
   * @param second the node of the second half
   * @param ofFirst the output of the first one that has the rows
   * @param ofSecond the output of the second one that has the rows
   */
  private record HalfStep(int first, int second, int ofFirst, int ofSecond) {}

  /**
   * The operators between two slices of a tensor and a concat.
   *
   * @param slices the slices
   * @param steps the operators after the slices, ascending
   * @param concat the node of the concat
   */
  private record Halves(HalfStep slices, ImmutableList<HalfStep> steps, int concat) {

    /** The slices and the operators. */
    private ImmutableList<HalfStep> all() {
      return ImmutableList.<HalfStep>builder().add(slices).addAll(steps).build();
    }
  }

  private final NewVariables variables;
  private final RowOperators rows;
  private final OperatorForms forms = OperatorForms.ofComputations();

  HalvedOperators(NewVariables variables, RowOperators rows) {
    this.variables = variables;
    this.rows = rows;
  }

  /** Returns the program with the first such operators on the whole batch. O(accesses). */
  Optional<Program> undone() {
    for (int node = 0; node < variables.nodeCount(); node++) {
      Optional<Program> undone =
          variables.isPlain(node) ? undone(node, variables.operation(node)) : Optional.empty();
      if (undone.isPresent()) {
        return undone;
      }
    }
    return Optional.empty();
  }

  private Optional<Program> undone(int concat, Operation operation) {
    boolean isOnnx = operation.type().equals("Concat");
    long axisByDefault = isOnnx ? 1 : 0; // Concat has a default before opset 4 only
    boolean joinsTwo =
        (operation.type().equals("concat") || isOnnx)
            && operation.inputCount() == 2
            && operation.outputCount() == 1
            && operation.output(0) != Program.NO_VARIABLE
            && RowOperators.hasFixedAxis(operation)
            && operation.attribute("axis").map(axis -> axis.asLong(0)).orElse(axisByDefault) == 0;
    if (!joinsTwo) {
      return Optional.empty();
    }
    return follow(operation.input(0), operation.input(1), concat)
        .filter(this::areOwn)
        .filter(this::keepInputs)
        .flatMap(this::whole);
  }

  /** Follows two halves back to the slices of one tensor. */
  private Optional<Halves> follow(int firstPart, int secondPart, int concat) {
    BiMap<Integer, Integer> halves = HashBiMap.create();
    Deque<Integer> toFollow = new ArrayDeque<>();
    List<HalfStep> steps = new ArrayList<>();
    HalfStep slices = null;
    halves.put(firstPart, secondPart);
    toFollow.add(firstPart);
    while (!toFollow.isEmpty()) {
      int one = toFollow.remove();
      int two = Objects.requireNonNull(halves.get(one));
      if (one == two || !variables.isBetweenOperators(one) || !variables.isBetweenOperators(two)) {
        return Optional.empty();
      }
      HalfStep step = new HalfStep(variables.onlyWriter(one), variables.onlyWriter(two), one, two);
      boolean isSliced = sliced(step) != Program.NO_VARIABLE;
      if (isSliced ? slices != null : !followInputs(step, halves, toFollow)) {
        return Optional.empty();
      }
      if (isSliced) {
        slices = step;
      } else {
        steps.add(step);
      }
    }
    if (slices == null || steps.isEmpty()) {
      return Optional.empty();
    }
    steps.sort(Comparator.comparingInt(HalfStep::first));
    return Optional.of(new Halves(slices, ImmutableList.copyOf(steps), concat));
  }

  /**
   * Adds the inputs with the rows of two operators that do the same, the second one on other rows;
   * false if they may do something else.
   *
   * @param halves by variable of the first half: that of the second one
   * @param toFollow gets the variables of the first half that are new there
   */
  private boolean followInputs(
      HalfStep step, BiMap<Integer, Integer> halves, Deque<Integer> toFollow) {
    Operation a = variables.operation(step.first());
    Operation b = variables.operation(step.second());
    Optional<RowTensors> rowsOfA = rows(a, step.ofFirst());
    Optional<RowTensors> rowsOfB = rows(b, step.ofSecond());
    if (rowsOfA.isEmpty()
        || rowsOfB.isEmpty()
        || forms.of(variables.program(), a) != forms.of(variables.program(), b)) {
      return false;
    }
    for (int i = 0; i < a.inputCount(); i++) {
      int one = a.input(i);
      int two = b.input(i);
      boolean hasRows = rowsOfA.get().inputs().contains(one);
      if (hasRows != rowsOfB.get().inputs().contains(two) || (!hasRows && one != two)) {
        return false;
      }
      if (hasRows && !halves.containsKey(one) && !halves.containsValue(two)) {
        halves.put(one, two);
        toFollow.add(one);
      }
      if (hasRows && !Objects.equals(halves.get(one), two)) {
        return false;
      }
    }
    return true;
  }

  /** Whether nothing but the operators and the concat uses the halves, and none changes before. */
  private boolean areOwn(Halves halves) {
    Set<Integer> firsts = new TreeSet<>();
    Set<Integer> seconds = new TreeSet<>();
    for (HalfStep step : halves.steps()) {
      firsts.add(step.first());
      seconds.add(step.second());
    }
    for (HalfStep step : halves.all()) {
      if (!isOwn(step.ofFirst(), firsts, halves.concat())
          || !isOwn(step.ofSecond(), seconds, halves.concat())) {
        return false;
      }
    }
    return true;
  }

  private boolean isOwn(int half, Set<Integer> operators, int concat) {
    int last = -1;
    for (int reader : variables.readers(half)) {
      if (reader > concat || (reader != concat && !operators.contains(reader))) {
        return false;
      }
      last = Math.max(last, reader);
    }
    return variables.keepsValue(half, variables.onlyWriter(half) + 1, last - 1, Set.of());
  }

  private Optional<RowTensors> rows(Operation operation, int output) {
    return rows.rows(operation)
        .filter(found -> found.output() == output && variables.dependsOnArguments(operation))
        .filter(
            found ->
                RowOperators.otherOutputs(operation, found).stream().allMatch(variables::isDead));
  }

  /** The tensor of which two operators take the first rows and all others; -1 if they do not. */
  private int sliced(HalfStep step) {
    Operation a = variables.operation(step.first());
    Operation b = variables.operation(step.second());
    long middle = bound(a, "ends", 2);
    boolean isWhole =
        isOfRows(a)
            && isOfRows(b)
            && a.input(0) == b.input(0)
            && bound(a, "starts", 1) == 0
            && middle > 0
            && bound(b, "starts", 1) == middle
            && bound(b, "ends", 2) == OperatorEdits.TO_THE_END;
    return isWhole ? a.input(0) : Program.NO_VARIABLE;
  }

  private boolean isOfRows(Operation slice) {
    boolean isSlice = slice.type().equals("slice") && slice.inputCount() == 1;
    // Before opset 10, the bounds are attributes.
    boolean isOfOnnx =
        slice.type().equals("Slice") && (slice.inputCount() == 4 || slice.inputCount() == 1);
    return (isSlice || isOfOnnx)
        && bound(slice, "axes", 3) == 0
        && longs(slice, "decrease_axis").isEmpty();
  }

  private static ImmutableList<Long> longs(Operation operation, String attribute) {
    return operation.attribute(attribute).map(Attribute::longs).orElse(ImmutableList.of());
  }

  /**
   * The only number of an attribute, or of a constant input of ONNX's operator; -1 if there are
   * none or several.
   */
  private long bound(Operation slice, String attribute, int input) {
    if (slice.inputCount() > input && slice.input(input) != Program.NO_VARIABLE) {
      Variable constant = variables.program().variable(slice.input(input));
      return constant.isPersistable()
          ? constant
              .elements()
              .filter(elements -> elements.length() == 1)
              .map(elements -> (long) elements.get(0))
              .orElse(-1L)
          : -1;
    }
    ImmutableList<Long> values = longs(slice, attribute);
    return values.size() == 1 ? values.get(0) : -1;
  }

  /**
   * Whether the undone operators find the values in the place of the concat that the halves found.
   */
  private boolean keepInputs(Halves halves) {
    ImmutableList<HalfStep> steps = halves.all();
    Set<Integer> nodes = new TreeSet<>();
    for (HalfStep step : steps) {
      nodes.add(step.first());
      nodes.add(step.second());
    }
    int begin = nodes.iterator().next();
    for (HalfStep step : steps) {
      Operation operation = variables.operation(step.first());
      for (int i = 0; i < operation.inputCount(); i++) {
        int input = operation.input(i);
        boolean isOutside =
            input != Program.NO_VARIABLE
                && steps.stream().noneMatch(other -> other.ofFirst() == input);
        // The operators themselves write parameters only as they are: see
        // RowOperators.otherOutputs.
        if (isOutside && !variables.keepsValue(input, begin, halves.concat() - 1, nodes)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The program with the operators on the whole batch; empty if the halves have other names. */
  private Optional<Program> whole(Halves halves) {
    Map<String, String> names = new LinkedHashMap<>();
    HalfStep slices = halves.slices();
    int input = sliced(slices);
    names.put(name(slices.ofFirst()), name(input));
    names.put(name(slices.ofSecond()), name(input));
    Operation concat = variables.operation(halves.concat());
    for (HalfStep step : halves.steps()) {
      Optional<String> whole =
          step.ofFirst() == concat.input(0)
              ? Optional.of(name(concat.output(0)))
              : unused(step.ofFirst());
      if (whole.isEmpty()) {
        return Optional.empty();
      }
      names.put(name(step.ofFirst()), whole.get());
      names.put(name(step.ofSecond()), whole.get());
    }
    for (int node : new int[] {slices.first(), slices.second()}) {
      Operation slice = variables.operation(node);
      for (int i = 1; i < slice.inputCount(); i++) {
        int bound = slice.input(i);
        boolean isOwn =
            variables.isNew(bound)
                && variables.readers(bound).stream()
                    .allMatch(each -> each == slices.first() || each == slices.second());
        if (isOwn) {
          names.put(name(bound), name(input));
        }
      }
    }
    return Optional.of(
        OperatorEdits.arranged(
            variables.program(), operators(halves), names, variables.original()));
  }

  /** The name of the whole tensor of a first half, which no operator uses. */
  private Optional<String> unused(int half) {
    return SplitPart.whole(name(half)).filter(variables::isFree);
  }

  /** The operators of the first block, with those of the first half in the place of the concat. */
  private List<Integer> operators(Halves halves) {
    Set<Integer> moved = new TreeSet<>();
    for (HalfStep step : halves.all()) {
      moved.add(variables.operation(step.first()).index());
      moved.add(variables.operation(step.second()).index());
    }
    int place = variables.operation(halves.concat()).index();
    List<Integer> operators = new ArrayList<>();
    for (Operation operation : variables.program().block(0).operations()) {
      if (operation.index() == place) {
        for (HalfStep step : halves.steps()) {
          operators.add(variables.operation(step.first()).index());
        }
      } else if (!moved.contains(operation.index())) {
        operators.add(operation.index());
      }
    }
    return operators;
  }

  private String name(int variable) {
    return variables.program().variable(variable).name();
  }
}
