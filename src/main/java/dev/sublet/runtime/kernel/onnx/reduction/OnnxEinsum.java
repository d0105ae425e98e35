package dev.sublet.runtime.kernel.onnx.reduction;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;

import com.google.common.base.Splitter;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code Einsum}: sums of products, by an equation that gives each axis of each operand a label.
 *
 * <pre>{@code
 * ij,jk->ik     a product of matrices
 * ii->i         the diagonal
 * ...ij->...ji  a transpose of the last two axes
 * }</pre>
 *
 * <p>Operands are multiplied from the left to the right; a label is summed as soon as no later
 * operand and not the output has it. The axes of an ellipsis have labels of their own, counted from
 * the last axis: {@code '0'} for the last, {@code '1'} for the axis before it.
 */
public final class OnnxEinsum {

  private static final String ELLIPSIS = "...";
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

  private final Formula f;
  private final List<MicroValue> operands;
  private final List<String> labels;
  private final long[] extents;

  private OnnxEinsum(Formula f, List<MicroValue> operands, List<String> labels) {
    this.f = f;
    this.operands = operands;
    this.labels = labels;
    this.extents = new long[128];
    Arrays.fill(extents, 1);
    for (int i = 0; i < operands.size(); i++) {
      for (int axis = 0; axis < labels.get(i).length(); axis++) {
        join(labels.get(i).charAt(axis), f.shape(operands.get(i))[axis]);
      }
    }
  }

  /** Registers the kernel. */
  public static void register(OnnxFamily family) {
    family.numbers("Einsum", OnnxEinsum::lower);
  }

  private static void lower(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    String equation = lowering.call().text("equation", "").replace(" ", "");
    List<String> sides = Splitter.on("->").splitToList(equation);
    List<String> terms = Splitter.on(',').splitToList(sides.get(0));
    List<MicroValue> operands = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    String ellipsis = "";
    for (int i = 0; i < terms.size(); i++) {
      MicroValue operand = lowering.in(Integer.toString(i));
      operands.add(operand);
      int open = f.rank(operand) - terms.get(i).replace(ELLIPSIS, "").length();
      boolean hasEllipsis = terms.get(i).contains(ELLIPSIS);
      if (open < 0 || open > 10 || (open > 0 && !hasEllipsis)) {
        throw new OperatorException(
            "the term " + terms.get(i) + " for an operand of " + f.rank(operand) + " axes");
      }
      String own = "9876543210".substring(10 - open);
      ellipsis = own.length() > ellipsis.length() ? own : ellipsis;
      labels.add(expanded(terms.get(i), own));
    }
    String all = String.join("", labels);
    String output = sides.size() > 1 ? expanded(sides.get(1), ellipsis) : implicit(all, ellipsis);
    if (!distinct(output, all, /* isIn= */ true).equals(output)) {
      throw new OperatorException("the output of " + equation);
    }
    lowering.out("0", new OnnxEinsum(f, operands, labels).result(output));
  }

  /** Returns a term with labels in the place of the ellipsis. */
  private static String expanded(String term, String ellipsis) {
    if (!term.replace(ELLIPSIS, "").chars().allMatch(label -> LETTERS.indexOf(label) >= 0)) {
      throw new OperatorException("the labels " + term);
    }
    return term.replace(ELLIPSIS, ellipsis);
  }

  /** Returns the output labels of an equation without an output: the labels that occur once. */
  private static String implicit(String all, String ellipsis) {
    StringBuilder output = new StringBuilder(ellipsis);
    for (int i = 0; i < LETTERS.length(); i++) {
      char label = LETTERS.charAt(i);
      if (all.indexOf(label) >= 0 && all.indexOf(label) == all.lastIndexOf(label)) {
        output.append(label);
      }
    }
    return output.toString();
  }

  private void join(char label, long extent) {
    if (extents[label] != 1 && extent != 1 && extents[label] != extent) {
      throw new OperatorException(
          "the label " + label + " has the extents " + extents[label] + " and " + extent);
    }
    extents[label] = extent == 1 ? extents[label] : extent;
  }

  private MicroValue result(String output) {
    MicroValue product = operands.get(0);
    String own = labels.get(0);
    for (int i = 0; i < operands.size(); i++) {
      String both = i == 0 ? own : own + labels.get(i);
      boolean isLast = i == operands.size() - 1;
      String later = output + String.join("", labels.subList(i + 1, labels.size()));
      String kept = isLast ? output : distinct(both, later, /* isIn= */ true);
      String summed = distinct(both, later, /* isIn= */ false);
      long[] all = shape(kept + summed);
      MicroValue left = f.reindex(product, all, at(product, own, kept + summed));
      MicroValue factors =
          i == 0
              ? left
              : f.times(
                  left,
                  f.reindex(
                      operands.get(i), all, at(operands.get(i), labels.get(i), kept + summed)));
      int[] axes = Shapes.range(kept.length(), kept.length() + summed.length());
      product = f.reshape(f.reduce(Reduction.SUM, factors, axes), shape(kept));
      own = kept;
    }
    return product;
  }

  /** Returns the labels that another list has, or has not, each once. */
  private static String distinct(String labels, String others, boolean isIn) {
    StringBuilder found = new StringBuilder();
    for (int i = 0; i < labels.length(); i++) {
      char label = labels.charAt(i);
      if ((others.indexOf(label) >= 0) == isIn && found.indexOf(String.valueOf(label)) < 0) {
        found.append(label);
      }
    }
    return found.toString();
  }

  private long[] shape(String axes) {
    return axes.chars().mapToLong(label -> extents[label]).toArray();
  }

  /** Returns an index for each axis of a value, whose loops have labels. */
  private IndexExpression[] at(MicroValue x, String axes, String loops) {
    IndexExpression[] at = new IndexExpression[axes.length()];
    for (int axis = 0; axis < at.length; axis++) {
      at[axis] = f.shape(x)[axis] == 1 ? number(0) : loop(loops.indexOf(axes.charAt(axis)));
    }
    return at;
  }
}
