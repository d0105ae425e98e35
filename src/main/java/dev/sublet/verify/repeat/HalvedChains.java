package dev.sublet.verify.repeat;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.OperatorEdits.Chain;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.RowOperators;
import dev.sublet.shape.RowOperators.RowTensors;
import dev.sublet.verify.graph.OperatorForms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chains of operators that run on the first half of a batch and then on the second one.
 *
 * <pre>
 *   a1 = slice(a); b1 = conv(a1); c1 = relu(b1)
 *   a2 = slice(a); b2 = conv(a2); c2 = relu(b2); c = concat(c1, c2)
 *
 *   undone: b = conv(a); c = relu(b)
 * </pre>
 *
 * <p>The halves are followed from the concat back to two slices of one tensor that are all of its
 * rows. Corresponding operators have one form and the same parameters, and compute row by row. The
 * undone chain runs in the place of the concat, so the tensor and the parameters must keep their
 * values until there.
 */
final class HalvedChains {

  /**
   * Operators that do the same on the two halves.
   *
   * @param first the node of the first half
   * @param second the node of the second half
   * @param ofFirst the output of the first one that has the rows
   * @param ofSecond the output of the second one that has the rows
   */
  private record HalfStep(int first, int second, int ofFirst, int ofSecond) {}

  private final NewVariables variables;
  private final RowOperators rows;
  private final OperatorForms forms = OperatorForms.ofComputations();

  HalvedChains(NewVariables variables, RowOperators rows) {
    this.variables = variables;
    this.rows = rows;
  }

  /** Returns the program with the first such chain on the whole batch. O(accesses). */
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
    boolean joinsTwo =
        (operation.type().equals("concat") || operation.type().equals("Concat"))
            && operation.inputCount() == 2
            && operation.outputCount() == 1
            && operation.output(0) != Program.NO_VARIABLE
            && operation.inputSlot("AxisTensor").isEmpty()
            && operation.attribute("axis").map(axis -> axis.asLong(0)).orElse(0L) == 0;
    if (!joinsTwo) {
      return Optional.empty();
    }
    List<HalfStep> steps = new ArrayList<>();
    int input = follow(operation.input(0), operation.input(1), concat, steps);
    return input != Program.NO_VARIABLE && keepInputs(steps, concat)
        ? whole(steps, input, concat)
        : Optional.empty();
  }

  /**
   * Follows two halves back to the slices of one tensor.
   *
   * @param steps gets the operators, the last ones first
   * @return the sliced tensor, or {@link Program#NO_VARIABLE}
   */
  private int follow(int firstPart, int secondPart, int concat, List<HalfStep> steps) {
    int one = firstPart;
    int two = secondPart;
    while (one != two && isPart(one, concat) && isPart(two, concat)) {
      HalfStep step = new HalfStep(variables.onlyWriter(one), variables.onlyWriter(two), one, two);
      steps.add(step);
      Operation a = variables.operation(step.first());
      Operation b = variables.operation(step.second());
      int sliced = sliced(a, b);
      if (sliced != Program.NO_VARIABLE) {
        return sliced;
      }
      Optional<RowTensors> rowsOfA = rows(a, one);
      Optional<RowTensors> rowsOfB = rows(b, two);
      if (rowsOfA.isEmpty()
          || rowsOfB.isEmpty()
          || !isAlike(a, rowsOfA.get().input(), b, rowsOfB.get().input())) {
        return Program.NO_VARIABLE;
      }
      one = rowsOfA.get().input();
      two = rowsOfB.get().input();
    }
    return Program.NO_VARIABLE;
  }

  /** Whether a variable is the result of one operator for the next one, up to the concat. */
  private boolean isPart(int variable, int concat) {
    if (!variables.isBetweenOperators(variable) || variables.readers(variable).size() != 1) {
      return false;
    }
    int reader = variables.readers(variable).get(0);
    int writer = variables.onlyWriter(variable);
    return reader <= concat && variables.keepsValue(variable, writer + 1, reader - 1, Set.of());
  }

  private Optional<RowTensors> rows(Operation operation, int output) {
    return rows.rows(operation)
        .filter(found -> found.output() == output && variables.dependsOnArguments(operation))
        .filter(
            found ->
                RowOperators.otherOutputs(operation, found).stream().allMatch(variables::isDead));
  }

  /** Whether two operators have one form, and the same inputs beside those with the rows. */
  private boolean isAlike(Operation a, int inputOfA, Operation b, int inputOfB) {
    boolean isAlike = forms.of(variables.program(), a) == forms.of(variables.program(), b);
    for (int i = 0; i < a.inputCount() && isAlike; i++) {
      isAlike = a.input(i) == inputOfA ? b.input(i) == inputOfB : a.input(i) == b.input(i);
    }
    return isAlike;
  }

  /** The tensor of which two operators take the first rows and all others; -1 if they do not. */
  private int sliced(Operation a, Operation b) {
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
    boolean isOfOnnx = slice.type().equals("Slice") && slice.inputCount() == 4;
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

  /** Whether the undone chain finds the values in the place of the concat that the halves found. */
  private boolean keepInputs(List<HalfStep> steps, int concat) {
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
        // The chain itself writes parameters only as they are: see RowOperators.otherOutputs.
        if (isOutside && !variables.keepsValue(input, begin, concat - 1, nodes)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The program with the chain on the whole batch, or empty if the names of the halves are others.
   */
  private Optional<Program> whole(List<HalfStep> steps, int input, int concat) {
    Program program = variables.program();
    Map<String, String> names = new LinkedHashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      HalfStep step = steps.get(i);
      boolean isSlice = i == steps.size() - 1;
      Optional<String> whole =
          isSlice
              ? Optional.of(name(input))
              : i == 0
                  ? Optional.of(name(variables.operation(concat).output(0)))
                  : unused(step.ofFirst());
      if (whole.isEmpty()) {
        return Optional.empty();
      }
      names.put(name(step.ofFirst()), whole.get());
      names.put(name(step.ofSecond()), whole.get());
    }
    HalfStep slices = steps.get(steps.size() - 1);
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
        OperatorEdits.arranged(program, operators(steps, concat), names, variables.original()));
  }

  /** The name of the whole tensor of a first half, which no operator uses. */
  private Optional<String> unused(int half) {
    return Chain.whole(name(half)).filter(variables::isFree);
  }

  /** The operators of the first block, with those of the first half in the place of the concat. */
  private List<Integer> operators(List<HalfStep> steps, int concat) {
    Set<Integer> moved = new TreeSet<>();
    for (HalfStep step : steps) {
      moved.add(variables.operation(step.first()).index());
      moved.add(variables.operation(step.second()).index());
    }
    int place = variables.operation(concat).index();
    List<Integer> operators = new ArrayList<>();
    for (Operation operation : variables.program().block(0).operations()) {
      if (operation.index() == place) {
        // The first of the steps is the last of the chain; the last one is the slice.
        for (int i = steps.size() - 2; i >= 0; i--) {
          operators.add(variables.operation(steps.get(i).first()).index());
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
