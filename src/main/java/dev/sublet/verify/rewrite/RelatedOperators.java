package dev.sublet.verify.rewrite;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.Violations;

/**
 * The effect of an operator of the original and its counterpart on a {@link ValueNumbering}, with
 * the check that they read related variables, slot by slot. O(arguments × alternatives) per
 * operator.
 *
 * <pre>
 *   original    b = tanh(a)       checks that a and t are related;
 *   rewritten   u = tanh(t)       then b and u are related, and neither to anything else
 * </pre>
 */
final class RelatedOperators {

  private final NodeOrder nodes;
  private final Program original;
  private final Program rewritten;
  private final DefUses accesses;
  private final OperatorAlignment alignment;
  private final NameAssignment assignment;
  private final ValueNumbering numbering;
  private final Violations violations;

  RelatedOperators(
      NodeOrder nodes,
      DefUses accesses,
      OperatorAlignment alignment,
      NameAssignment assignment,
      ValueNumbering numbering,
      Violations violations) {
    this.nodes = nodes;
    this.original = nodes.program();
    this.rewritten = alignment.rewritten();
    this.accesses = accesses;
    this.alignment = alignment;
    this.assignment = assignment;
    this.numbering = numbering;
    this.violations = violations;
  }

  /** Runs a straight-line or opaque operator, after the rewritten program's extras before it. */
  void run(int node) {
    runExtras(node);
    Operation operation = nodes.operation(node);
    Operation other = alignment.counterpart(node);
    if (OperatorAlignment.isDeletion(operation)) {
      for (int i = 0; i < operation.inputCount(); i++) {
        if (operation.input(i) != Program.NO_VARIABLE) {
          numbering.undefineOriginal(operation.input(i));
        }
      }
    } else if (alignment.isCopy(original, operation)) {
      if (other != null) {
        checkRead(operation, operation.input(0), other.input(0));
        numbering.copyRewritten(other.input(0), other.output(0));
      }
      numbering.copyOriginal(operation.input(0), operation.output(0));
    } else {
      compute(node, operation, alignment.requireCounterpart(node));
    }
  }

  /** Runs the copies and deletions that only the rewritten program has before a node. */
  void runExtras(int node) {
    for (Operation extra : alignment.extrasBefore(node)) {
      if (OperatorAlignment.isDeletion(extra)) {
        for (int i = 0; i < extra.inputCount(); i++) {
          if (extra.input(i) != Program.NO_VARIABLE) {
            numbering.loseRewritten(extra.input(i));
          }
        }
      } else {
        numbering.copyRewritten(extra.input(0), extra.output(0));
      }
    }
  }

  private void compute(int node, Operation operation, Operation other) {
    for (int i = 0; i < operation.inputCount(); i++) {
      checkRead(operation, operation.input(i), other.input(i));
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      DefUses.OutputEffect effect = accesses.effect(node, i);
      if (effect == DefUses.OutputEffect.READS || effect == DefUses.OutputEffect.READS_AND_WRITES) {
        checkRead(operation, operation.output(i), other.output(i));
      }
    }
    checkTwins(operation, nodes.touches(node));
    for (int i = 0; i < operation.outputCount(); i++) {
      int u = operation.output(i);
      DefUses.OutputEffect effect = accesses.effect(node, i);
      if (u == Program.NO_VARIABLE || effect == DefUses.OutputEffect.READS) {
        continue;
      }
      if (effect == DefUses.OutputEffect.KILLS) {
        numbering.overwrite(u, other.output(i));
      } else {
        numbering.write(u, other.output(i));
      }
    }
    writeTwins(nodes.touches(node));
  }

  /**
   * Adds a violation if an argument of the original is not related to that of the rewritten
   * program.
   */
  void checkRead(Operation operation, int u, int v) {
    if (u == Program.NO_VARIABLE || numbering.areRelated(u, v)) {
      return;
    }
    Variable variable = original.variable(u);
    String name = Violations.quote(rewritten.variable(v));
    violations.add(
        operation,
        variable,
        variable.name().equals(rewritten.variable(v).name())
            ? "is read, but " + name + " may have been overwritten with another value"
            : "is read from " + name + ", which may hold another value");
  }

  /**
   * Adds a violation for each variable that is read without a slot and is not related to its
   * namesake.
   */
  void checkTwins(Operation operation, ImmutableIntArray variables) {
    for (int i = 0; i < variables.length(); i++) {
      int u = variables.get(i);
      if (assignment.twin(u) == Program.NO_VARIABLE) {
        violations.add(
            operation,
            original.variable(u),
            "is used without being named in a slot, but its declaration is gone");
      } else {
        checkRead(operation, u, assignment.twin(u));
      }
    }
  }

  void writeTwins(ImmutableIntArray variables) {
    for (int i = 0; i < variables.length(); i++) {
      int u = variables.get(i);
      if (assignment.twin(u) == Program.NO_VARIABLE) {
        numbering.loseOriginal(u);
      } else {
        numbering.write(u, assignment.twin(u));
      }
    }
  }

  /** Writes the outputs of a control operator, at its exit. */
  void writeOutputs(int exit) {
    Operation operation = nodes.operation(exit);
    Operation other = alignment.requireCounterpart(exit);
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        numbering.write(operation.output(i), other.output(i));
      }
    }
  }

  /** Gives a variable and its namesake the same new value. */
  void overwriteTwin(int u) {
    if (assignment.twin(u) == Program.NO_VARIABLE) {
      numbering.loseOriginal(u);
    } else {
      numbering.overwrite(u, assignment.twin(u));
    }
  }
}
