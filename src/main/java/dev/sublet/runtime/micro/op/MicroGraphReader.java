package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.text.ExpressionParser;
import dev.sublet.runtime.micro.text.IndexParser;
import dev.sublet.runtime.micro.text.MicroCursor;
import dev.sublet.runtime.micro.text.MicroSyntaxException;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads a graph line by line and builds it. An error of the builder is reported at the line that
 * caused it.
 */
final class MicroGraphReader {

  private final MicroGraphBuilder builder;
  private final Map<String, MicroValue> values = new LinkedHashMap<>();
  private final GraphValues expressions;
  private final Set<Requirement> requirements = new LinkedHashSet<>();

  private MicroGraphReader(String name) {
    this.builder = new MicroGraphBuilder(name);
    this.expressions = new GraphValues(builder, values);
  }

  /** Reads a graph. */
  static MicroGraph read(String text) {
    ImmutableList<MicroCursor> lines = MicroCursor.lines(text);
    if (lines.isEmpty()) {
      throw new MicroSyntaxException("expected 'micro'", text, text.length());
    }
    MicroCursor first = lines.get(0);
    first.expectWord("micro");
    MicroGraphReader reader = new MicroGraphReader(first.name());
    first.expectEnd();
    for (MicroCursor line : lines.subList(1, lines.size())) {
      reader.line(line);
      line.expectEnd();
    }
    return reader.graph();
  }

  /** Returns the graph. Requirements with lines of their own come before the implied ones. */
  private MicroGraph graph() {
    MicroGraph graph = builder.build();
    requirements.addAll(graph.requirements());
    return new MicroGraph(
        graph.name(),
        graph.parameters(),
        graph.nodes(),
        ImmutableList.copyOf(requirements),
        graph.outputs());
  }

  private void line(MicroCursor line) {
    if (line.isWordBefore("=") || !line.isWord()) {
      value(line);
    } else if (line.acceptWord("parameter")) {
      parameter(line);
    } else if (line.acceptWord("input")) {
      input(line);
    } else if (line.acceptWord("require")) {
      IndexParser.NameScope scope = builder.shapeScope(ImmutableList.of());
      IndexExpression left = IndexParser.next(line, scope);
      line.expect("=");
      requirements.add(new Requirement(left, IndexParser.next(line, scope)));
    } else if (line.acceptWord("output")) {
      output(line);
    } else {
      throw line.error(
          "expected 'parameter', 'input', 'require', 'output' or a new value such as 'y = …'");
    }
  }

  private void parameter(MicroCursor line) {
    line.expect("$");
    int start = line.position();
    String name = line.name();
    line.expect(":");
    ElementType type = line.elementType();
    resolved(
        line,
        start,
        () -> {
          builder.declare(name, type);
          return name;
        });
  }

  private void input(MicroCursor line) {
    int start = line.position();
    String name = line.name();
    line.expect(":");
    ElementType type = line.elementType();
    InputShape shape = InputShape.read(line, name, builder.shapeScope(ImmutableList.of()));
    values.put(name, resolved(line, start, () -> builder.input(name, type, shape.extents())));
  }

  private void output(MicroCursor line) {
    int start = line.position();
    String name = line.name();
    MicroValue value = line.accept("=") ? operand(line) : value(line, name, start);
    resolved(
        line,
        start,
        () -> {
          builder.output(name, value);
          return value;
        });
  }

  private void value(MicroCursor line) {
    int start = line.position();
    String name = line.name();
    line.expect("=");
    int op = line.position();
    int before = builder.size();
    MicroValue value = op(line, op);
    if (value.id() < before) {
      throw line.error("this value has a name already", op);
    }
    values.put(name, resolved(line, start, () -> builder.named(name, value)));
  }

  private MicroValue op(MicroCursor line, int start) {
    if (GraphValues.isOpNext(line, "reindex")) {
      line.expectWord("reindex");
      return reindex(line, start);
    }
    if (GraphValues.isOpNext(line, "position")) {
      line.expectWord("position");
      List<MicroValue> operands = operands(line, ImmutableList.of());
      ImmutableList<IndexExpression> shape = shape(line, operands);
      line.expectWord("at");
      IndexParser.NameScope scope = builder.indexScope(operands, shape.size());
      IndexExpression index = IndexParser.next(line, scope);
      return resolved(line, start, () -> builder.position(shape, index));
    }
    if (GraphValues.isOpNext(line, "select")) {
      line.expectWord("select");
      MicroValue x = operand(line);
      line.expectWord("along");
      int axis = line.number();
      line.expectWord("at");
      MicroValue index = operand(line);
      return resolved(line, start, () -> builder.select(axis, x, index));
    }
    Optional<Reduction> reduction = GraphValues.reductionNext(line);
    if (reduction.isPresent()) {
      line.expectWord(reduction.get().toString());
      return reduce(line, start, reduction.get());
    }
    return ExpressionParser.next(line, expressions);
  }

  private MicroValue reindex(MicroCursor line, int start) {
    MicroValue x = operand(line);
    List<MicroValue> operands = operands(line, ImmutableList.of(x));
    ImmutableList<IndexExpression> shape = shape(line, operands);
    line.expectWord("at");
    IndexParser.NameScope scope = builder.indexScope(operands, shape.size());
    ImmutableList<IndexExpression> at =
        line.atEnd() || line.isWord("outside")
            ? ImmutableList.of()
            : IndexParser.nextList(line, scope);
    double outside = line.acceptWord("outside") ? line.realNumber() : 0;
    return resolved(line, start, () -> builder.reindex(x, shape, at, outside));
  }

  private MicroValue reduce(MicroCursor line, int start, Reduction reduction) {
    MicroValue x = ExpressionParser.next(line, expressions);
    line.expectWord("over");
    List<Integer> axes = new ArrayList<>();
    do {
      axes.add(line.number());
    } while (line.accept(","));
    return resolved(line, start, () -> builder.reduce(reduction, x, Ints.toArray(axes)));
  }

  /** Returns the operands that the letters denote. */
  private List<MicroValue> operands(MicroCursor line, List<MicroValue> unlessSaid) {
    if (!line.acceptWord("with")) {
      return unlessSaid;
    }
    List<MicroValue> operands = new ArrayList<>();
    do {
      operands.add(operand(line));
    } while (line.accept(","));
    return operands;
  }

  private ImmutableList<IndexExpression> shape(MicroCursor line, List<MicroValue> operands) {
    line.expectWord("shape");
    return line.isWord("at")
        ? ImmutableList.of()
        : IndexParser.nextList(line, builder.shapeScope(operands));
  }

  private MicroValue operand(MicroCursor line) {
    int start = line.position();
    return value(line, line.name(), start);
  }

  private MicroValue value(MicroCursor line, String name, int start) {
    MicroValue value = values.get(name);
    if (value == null) {
      throw line.error("there is no value " + name, start);
    }
    return value;
  }

  private static <T> T resolved(MicroCursor line, int start, Supplier<T> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException e) {
      throw line.error(requireNonNull(e.getMessage()), start);
    }
  }
}
