package dev.sublet.report.format;

import com.google.common.base.Ascii;
import com.google.common.base.Joiner;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Formats the types and shapes of variables as {@code --shape} takes them, for example {@code fp32
 * 1,3,224,224}. O(rank).
 */
public final class TensorShapes {

  private TensorShapes() {}

  /** Returns the element type and the shape; for a variable that is no dense tensor, its kind. */
  public static String of(ProgramFacts analysis, Variable variable) {
    String type = type(analysis, variable);
    return variable.tensorType().isEmpty() ? type : type + " " + shape(analysis, variable);
  }

  /** Returns the element type, or the kind of a variable that is no dense tensor. */
  public static String type(ProgramFacts analysis, Variable variable) {
    return variable.tensorType().isEmpty()
        ? Ascii.toLowerCase(variable.kind().name()).replace('_', ' ')
        : Ascii.toLowerCase(analysis.sizes().dataType(variable.index()).name());
  }

  /** Returns the inferred shape; {@code scalar} for a tensor of rank 0, {@code ?} if unknown. */
  public static String shape(ProgramFacts analysis, Variable variable) {
    int index = variable.index();
    ImmutableLongArray dims = analysis.sizes().dims(index);
    if (!dims.isEmpty()) {
      return Joiner.on(',').join(dims.asList()).replace("-1", "?");
    }
    return analysis.sizes().isKnown(index) ? "scalar" : "?";
  }

  /**
   * Returns the declared shape with the names of its extents, for example {@code batch,3,-1}; empty
   * if every extent is declared as a number.
   */
  public static String declared(Variable variable) {
    Optional<TensorType> type = variable.tensorType();
    if (type.isEmpty() || !type.get().dims().contains(-1)) {
      return "";
    }
    List<String> extents = new ArrayList<>();
    ImmutableLongArray dims = type.get().dims();
    for (int axis = 0; axis < dims.length(); axis++) {
      String name = variable.extentName(axis);
      extents.add(name.isEmpty() ? String.valueOf(dims.get(axis)) : name);
    }
    return String.join(",", extents);
  }
}
