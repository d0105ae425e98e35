package dev.sublet.verify.plan;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.text.ProgramText;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import java.util.List;
import java.util.Optional;

/**
 * Plans as text: lines {@code block:name place+bytes begin-end …}, {@code parallel}, {@code bytes
 * n}, {@code unplanned block:name}, and {@code stay block:operator bytes [from to]}, an unneeded
 * copy.
 *
 * <p>A place is an offset, or views by a block's iterations: {@code @1[0,64]} for type I,
 * {@code @1[128;0,64]} for type II; each of these may be a place again.
 */
final class MultiViewPlans {

  private final String text;
  private int position;

  private MultiViewPlans(String text) {
    this.text = text;
  }

  /** Validates a plan for a program in the language of {@link ProgramText}. */
  static ValidationResult validate(String text, String plan) {
    Program program = ProgramText.parse(text);
    return validate(program, parse(program, plan));
  }

  static ValidationResult validate(Program program, MemoryPlan plan) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    return PlanValidator.validate(
        program,
        plan,
        catalog,
        InferredSizes.of(program),
        MemorySpaces.find(program, catalog, MemorySpaces.Target.CPU),
        ProofOptions.defaults());
  }

  static MemoryPlan parse(Program program, String plan) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    ImmutableList.Builder<UnneededCopy> copies = ImmutableList.builder();
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    ExecutionOrder order = ExecutionOrder.SEQUENTIAL;
    long bytes = 4096;
    for (String line : Splitter.on('\n').omitEmptyStrings().split(plan)) {
      List<String> words = Splitter.on(' ').splitToList(line);
      switch (words.get(0)) {
        case "parallel" -> order = ExecutionOrder.PARALLEL;
        case "bytes" -> bytes = Long.parseLong(words.get(1));
        case "unplanned" -> unplanned.add(new Unplanned(id(words.get(1)), "test"));
        case "stay" -> copies.add(copy(program, words));
        default -> allocations.add(allocation(words));
      }
    }
    return new MemoryPlan(
        "",
        "test",
        1,
        order,
        ImmutableList.of(new Arena("cpu", bytes, 0, 4)),
        allocations.build(),
        unplanned.build(),
        ImmutableList.of(),
        copies.build());
  }

  private static UnneededCopy copy(Program program, List<String> words) {
    List<String> position = Splitter.on(':').splitToList(words.get(1));
    int block = Integer.parseInt(position.get(0));
    int index = Integer.parseInt(position.get(1));
    long bytes = Long.parseLong(words.get(2));
    if (words.size() > 3) {
      return new UnneededCopy(block, index, id(words.get(3)), id(words.get(4)), bytes);
    }
    Operation operation = program.block(block).operations().get(index);
    Variable from = program.variable(operation.input(0));
    Variable to = program.variable(operation.output(0));
    return new UnneededCopy(block, index, from.id(), to.id(), bytes);
  }

  private static VariableId id(String text) {
    List<String> parts = Splitter.on(':').splitToList(text);
    return new VariableId(Integer.parseInt(parts.get(0)), parts.get(1));
  }

  private static Allocation allocation(List<String> words) {
    List<String> region = Splitter.on('+').splitToList(words.get(1));
    MultiView view = new MultiViewPlans(region.get(0)).view();
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    for (String interval : words.subList(2, words.size())) {
      List<String> points = Splitter.on('-').splitToList(interval);
      live.add(new Interval(Integer.parseInt(points.get(0)), Integer.parseInt(points.get(1))));
    }
    return new Allocation(
        id(words.get(0)),
        /* arena= */ 0,
        view.offset(block -> 0),
        Long.parseLong(region.get(1)),
        live.build(),
        view instanceof MultiView.FixedView ? Optional.empty() : Optional.of(view));
  }

  private MultiView view() {
    if (text.charAt(position) != '@') {
      return new MultiView.FixedView(number());
    }
    position++;
    int block = (int) number();
    position++; // the bracket
    Optional<MultiView> first = Optional.empty();
    ImmutableList.Builder<MultiView> views = ImmutableList.builder();
    do {
      MultiView view = view();
      if (text.charAt(position) == ';') {
        first = Optional.of(view);
      } else {
        views.add(view);
      }
    } while (text.charAt(position++) != ']');
    return new MultiView.Rotation(block, first, views.build());
  }

  private long number() {
    int begin = position;
    while (position < text.length() && Character.isDigit(text.charAt(position))) {
      position++;
    }
    return Long.parseLong(text.substring(begin, position));
  }
}
