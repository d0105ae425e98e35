package dev.sublet.testing.simulate;

import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One instance of a variable at run time: what a name in a scope stands for. */
final class Cell {

  /** The declaration; null if the runtime made the instance by itself. */
  final @Nullable Variable variable;

  /** The scopes that a control operator kept here, in the order of its iterations. */
  final List<Scope> scopes = new ArrayList<>();

  /** The value; meaningless if the memory keeps the variable's values elsewhere. */
  long value;

  /** The scope that it is in; null if the runtime made the instance by itself. */
  final @Nullable Scope scope;

  Cell(@Nullable Variable variable, @Nullable Scope scope) {
    this.variable = variable;
    this.scope = scope;
    this.value = isArray() ? Values.EMPTY_ARRAY : Values.UNDEFINED;
  }

  boolean isArray() {
    return variable != null && variable.kind() == Variable.Kind.TENSOR_ARRAY;
  }
}
