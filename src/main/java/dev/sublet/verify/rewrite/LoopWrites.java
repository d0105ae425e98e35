package dev.sublet.verify.rewrite;

import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.SavedScopes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables of both programs that the body of a loop, or a body inside it, may change: those
 * that it writes, and its locals. The result also contains names that the rewritten program does
 * not write in the loop, if different original variables may be related to them there. O(accesses
 * of the body) when a loop is entered for the first time, then O(results).
 */
final class LoopWrites {

  /** The maximum number of variables in {@link #found}; a loop beyond it is searched each time. */
  private static final long MOST_KEPT = 16_000_000;

  private final NodeOrder nodes;
  private final DefUses accesses;
  private final SavedScopes savedScopes;
  private final OperatorAlignment alignment;
  private final NameAssignment assignment;
  private final int[] originalSeen;
  private final int[] rewrittenSeen;
  private IntList originals = new IntList();
  private IntList rewrittens = new IntList();
  private int serial;

  /** The names of the targets of copies that the rewritten program lacks. */
  private IntList unwritten = new IntList();

  /**
   * The results that do not depend on the relation, by loop head; an inner loop is entered many
   * times.
   */
  private final Map<Integer, Found> found = new HashMap<>();

  private long kept;

  private record Found(IntList originals, IntList rewrittens, IntList unwritten) {
    int size() {
      return originals.size() + rewrittens.size() + unwritten.size();
    }
  }

  private final DefUses.Visitor writes =
      new DefUses.Visitor() {
        @Override
        public void read(int node, int variable) {}

        @Override
        public void write(int node, int variable, boolean kills) {
          addOriginal(variable);
          // Implicit accesses and those of opaque blocks name the same variable in both programs.
          addRewritten(assignment.twin(variable));
        }
      };

  LoopWrites(
      NodeOrder nodes,
      DefUses accesses,
      SavedScopes savedScopes,
      OperatorAlignment alignment,
      NameAssignment assignment) {
    this.nodes = nodes;
    this.accesses = accesses;
    this.savedScopes = savedScopes;
    this.alignment = alignment;
    this.assignment = assignment;
    this.originalSeen = new int[nodes.program().variableCount()];
    this.rewrittenSeen = new int[alignment.rewritten().variableCount()];
  }

  /**
   * Finds the variables that the loop with the given head may change.
   *
   * @param before the relation when the loop is entered
   */
  void find(int head, ValueNumbering before) {
    Found always = found.get(head);
    if (always == null) {
      always = find(head);
      if (kept + always.size() <= MOST_KEPT) {
        kept += always.size();
        found.put(head, always);
      }
    }
    originals = always.originals;
    rewrittens = always.rewrittens;
    if (always.unwritten.size() == 0) {
      return;
    }
    serial++;
    rewrittens = new IntList();
    for (int i = 0; i < originals.size(); i++) {
      originalSeen[originals.get(i)] = serial;
    }
    for (int i = 0; i < always.rewrittens.size(); i++) {
      addRewritten(always.rewrittens.get(i));
    }
    for (int i = 0; i < always.unwritten.size(); i++) {
      if (!standsForItsOwner(always.unwritten.get(i), before)) {
        addRewritten(always.unwritten.get(i));
      }
    }
  }

  private Found find(int head) {
    originals = new IntList();
    rewrittens = new IntList();
    unwritten = new IntList();
    serial++;
    for (int node = head; node <= nodes.exitOf(head); node++) {
      accesses.visit(node, writes);
      addOutputs(alignment.counterpart(node));
      if (alignment.counterpart(node) == null && !nodes.isExit(node)) {
        addNames(nodes.operation(node));
      }
      if (node > head) {
        for (Operation extra : alignment.extrasBefore(node)) {
          addOutputs(extra);
          addDeleted(extra, /* inOriginal= */ false);
        }
      }
      addDeleted(nodes.operation(node), /* inOriginal= */ true);
      if (nodes.isHead(node)) {
        addLocals(nodes.body(node));
        if (savedScopes.forwardHead(node) >= 0) {
          addLocals(nodes.body(savedScopes.forwardHead(node)));
        }
      }
    }
    return new Found(originals, rewrittens, unwritten);
  }

  /**
   * Whether a name has the value of the variable after which it is named, and the loop does not
   * change this variable. Then the name stays related to its own variable in this loop; it stands
   * for another one elsewhere, for example in another loop over the same variables.
   */
  private boolean standsForItsOwner(int name, ValueNumbering before) {
    int owner = assignment.owner(name);
    return owner != Program.NO_VARIABLE
        && originalSeen[owner] != serial
        && before.isDefined(owner)
        && before.areRelated(owner, name);
  }

  /**
   * Adds the names of a copy's target, for a copy that the rewritten program lacks. After the copy
   * another name stands for the target, perhaps a different one in each iteration. The old name is
   * not overwritten, but it may stand for another variable.
   */
  private void addNames(Operation copy) {
    for (int i = 0; i < copy.outputCount(); i++) {
      if (copy.output(i) != Program.NO_VARIABLE) {
        IntList names = assignment.names(copy.output(i));
        for (int j = 0; j < names.size(); j++) {
          unwritten.add(names.get(j));
        }
      }
    }
  }

  private void addOutputs(@Nullable Operation operation) {
    for (int i = 0; operation != null && i < operation.outputCount(); i++) {
      addRewritten(operation.output(i));
    }
  }

  private void addDeleted(Operation operation, boolean inOriginal) {
    for (int i = 0; OperatorAlignment.isDeletion(operation) && i < operation.inputCount(); i++) {
      if (inOriginal) {
        addOriginal(operation.input(i));
      } else {
        addRewritten(operation.input(i));
      }
    }
  }

  private void addLocals(int block) {
    for (Variable local : nodes.program().block(block).variables()) {
      addOriginal(local.index());
    }
    for (Variable local : alignment.rewritten().block(block).variables()) {
      addRewritten(local.index());
    }
  }

  private void addOriginal(int variable) {
    if (variable != Program.NO_VARIABLE && originalSeen[variable] != serial) {
      originalSeen[variable] = serial;
      originals.add(variable);
    }
  }

  private void addRewritten(int variable) {
    if (variable != Program.NO_VARIABLE && rewrittenSeen[variable] != serial) {
      rewrittenSeen[variable] = serial;
      rewrittens.add(variable);
    }
  }

  /** Returns the original program's variables, each once. */
  IntList originals() {
    return originals;
  }

  /** Returns the rewritten program's variables, each once. */
  IntList rewrittens() {
    return rewrittens;
  }
}
