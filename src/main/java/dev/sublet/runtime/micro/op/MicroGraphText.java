package dev.sublet.runtime.micro.op;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.ExpressionText;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.text.MicroCursor;
import dev.sublet.runtime.micro.text.MicroSyntaxException;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints and parses the text of a graph of micro ops: {@code parse(print(g))} equals {@code g}.
 *
 * <pre>
 * micro matmul
 * input a: float32[?, ?]              # ? is an extent that the caller decides
 * input b: float32[?, ?]
 * x = reindex a with a, b shape dA0, dB1, dA1[=dB0] at i0, i2
 * y = reindex b with a, b shape dA0, dB1, dB0 at i2, i1
 * s = sum x * y over 2
 * c = reindex s shape dA0, dA1 at i0, i1, 0
 * output c
 * </pre>
 *
 * <p>A line defines one named value. Unnamed values inside an expression are called {@code t3},
 * {@code t4}, …, and are printed on lines of their own. The grammar:
 *
 * <pre>
 * graph:     "micro" name { line }
 * line:      "parameter" "$" name ":" type
 *          | "input" name ":" type "[" [ extent { "," extent } ] "]"
 *          | "require" index "=" index
 *          | "output" name [ "=" name ]               the external name, and the value if its
 *                                                      name differs
 *          | name "=" op
 * extent:    index | "?"                              ? is decided by the caller
 * op:        expression                               numbers, $name and names of values
 *          | reduction expression "over" axis { "," axis }
 *          | "reindex" name operands shape "at" [ index { "," index } ] [ "outside" number ]
 *          | "position" operands shape "at" index     int64 elements computed from their indices
 *          | "select" name "along" axis "at" name     elements at positions that name contains
 * operands:  [ "with" name { "," name } ]             A, B, … in dA0; for a reindex its tensor by
 *                                                     default
 * shape:     "shape" [ index { "," index } ]
 * reduction: "sum" | "mean" | "product" | "maximum" | "minimum" | "argmax" | "argmin"
 * </pre>
 *
 * <p>Expressions are as in {@link dev.sublet.runtime.micro.text.ExpressionParser}, indices as in
 * {@link dev.sublet.runtime.micro.text.IndexParser}, names as in {@link MicroName}; {@code #}
 * begins a comment. {@code maximum(x, y)} is the larger of two values, {@code maximum x over 0} a
 * reduction. A requirement that a line implies, as {@code [=dB0]} does, needs no {@code require}
 * line. If there are such lines, the requirements have the order of those lines.
 */
public final class MicroGraphText {

  /** Names of values that have another meaning in an expression. */
  private static final ImmutableSet<String> TAKEN =
      ImmutableSet.of("inf", "inf64", "nan", "nan64", "true", "false", "and", "or", "xor");

  private final MicroGraph graph;
  private final StringBuilder text = new StringBuilder();

  private MicroGraphText(MicroGraph graph) {
    this.graph = graph;
  }

  /** Whether a text claims to be a graph, because its first word is {@code micro}. */
  public static boolean isGraph(String text) {
    return text.lines()
        .map(MicroCursor::of)
        .filter(line -> !line.atEnd())
        .findFirst()
        .map(line -> line.isWord("micro"))
        .orElse(false);
  }

  /**
   * Parses a graph. O(length).
   *
   * @throws MicroSyntaxException with the position of the syntax error or of the meaningless part
   */
  public static MicroGraph parse(String text) {
    return MicroGraphReader.read(text);
  }

  /** Returns the text of a graph, one line per value. O(length). */
  public static String print(MicroGraph graph) {
    MicroGraphText printer = new MicroGraphText(graph);
    printer.print();
    return printer.text.toString();
  }

  private void print() {
    line("micro " + MicroName.text(graph.name()));
    for (ScalarDeclaration parameter : graph.parameters()) {
      line("parameter $" + MicroName.text(parameter.name()) + ": " + parameter.type());
    }
    int lastInput = lastInput();
    printRequirementsAfter(lastInput, -1);
    for (int id = 0; id < graph.nodes().size(); id++) {
      print(graph.nodes().get(id));
      printRequirementsAfter(lastInput, id);
    }
    graph
        .outputs()
        .forEach(
            (name, value) -> {
              String own = graph.node(value).name();
              line("output " + MicroName.text(name) + (own.equals(name) ? "" : " = " + name(own)));
            });
  }

  /** Returns the index of the last input in the order of nodes; -1 if there are no inputs. */
  private int lastInput() {
    int last = -1;
    for (int id = 0; id < graph.nodes().size(); id++) {
      last = graph.nodes().get(id).op() instanceof MicroOp.Input ? id : last;
    }
    return last;
  }

  /**
   * Prints the requirements after the last input, because they refer only to inputs and parameters.
   */
  private void printRequirementsAfter(int lastInput, int id) {
    if (id == lastInput) {
      for (Requirement requirement : graph.requirements()) {
        line("require " + requirement.left() + " = " + requirement.right());
      }
    }
  }

  private void print(MicroNode node) {
    if (node.op() instanceof MicroOp.Input) {
      line("input " + MicroName.text(node.name()) + ": " + node.type() + extents(node));
    } else {
      line(name(node.name()) + " = " + op(node));
    }
  }

  private static String extents(MicroNode node) {
    List<String> extents = new ArrayList<>();
    for (int axis = 0; axis < node.rank(); axis++) {
      IndexExpression extent = node.shape().get(axis);
      boolean free = extent.equals(new IndexExpression.AxisSize(node.name(), axis));
      extents.add(free ? "?" : extent.toString());
    }
    return extents.toString();
  }

  private String op(MicroNode node) {
    MicroOp op = node.op();
    if (op instanceof MicroOp.Scalar scalar) {
      return scalar.value().toString();
    }
    if (op instanceof MicroOp.Position position) {
      return "position" + shape(node) + " at " + position.index();
    }
    if (op instanceof MicroOp.Reindex reindex) {
      return reindex(node, reindex);
    }
    if (op instanceof MicroOp.Unary unary) {
      return ExpressionText.unary(unary.operator(), name(unary.x()));
    }
    if (op instanceof MicroOp.Binary binary) {
      return ExpressionText.binary(binary.operator(), name(binary.x()), name(binary.y()));
    }
    if (op instanceof MicroOp.Ternary choice) {
      String parts = name(choice.condition()) + ", " + name(choice.x()) + ", " + name(choice.y());
      return "choose(" + parts + ")";
    }
    if (op instanceof MicroOp.Cast cast) {
      return "cast(" + node.type() + ", " + name(cast.x()) + ")";
    }
    if (op instanceof MicroOp.Reduce reduce) {
      String axes = Joiner.on(", ").join(reduce.axes().asList());
      return reduce.reduction() + " " + name(reduce.x()) + " over " + axes;
    }
    if (op instanceof MicroOp.Select select) {
      String at = " along " + select.axis() + " at " + name(select.index());
      return "select " + name(select.x()) + at;
    }
    throw new AssertionError(op);
  }

  private String reindex(MicroNode node, MicroOp.Reindex reindex) {
    String at = reindex.at().isEmpty() ? "" : " " + Joiner.on(", ").join(reindex.at());
    String outside =
        Double.doubleToLongBits(reindex.outside()) == 0
            ? ""
            : " outside " + ExpressionText.outside(reindex.outside());
    return "reindex " + name(reindex.x()) + shape(node) + " at" + at + outside;
  }

  private static String shape(MicroNode node) {
    return " shape" + (node.rank() == 0 ? "" : " " + Joiner.on(", ").join(node.shape()));
  }

  private String name(MicroValue value) {
    return name(graph.node(value).name());
  }

  private static String name(String name) {
    return TAKEN.contains(name) ? MicroName.quoted(name) : MicroName.text(name);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
