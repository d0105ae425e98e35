package dev.sublet.verify.graph;

import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.List;

/**
 * The pairs of copies of the original and copies of the rewritten program, among copies that are
 * adjacent in both programs.
 *
 * <p>If both programs have equally many of these copies, and their targets with exclusive names
 * agree one by one, all are paired in order. Otherwise only copies into variables with an exclusive
 * name, such as persistables, are paired: by their targets, in order. A copy into such a variable
 * must be in both programs, because readers outside the program may see its target.
 *
 * <pre>
 *   original:  p = assign(a); t = assign(b)      p is persistable
 *   rewritten: p = assign(a)                     p is paired with p; the copy to t has no partner
 * </pre>
 *
 * <p>No choice of pairs makes a wrong program pass. A copy changes only the facts about variables
 * of its own program, and each program's copies are interpreted in the order of that program,
 * whatever their partners are. A pair only adds conditions: both copies read the same value and
 * write variables of one name.
 */
final class CopyPairs {

  private final NodeOrder nodes;
  private final Program rewritten;
  private final UnrenamableVariables neverRenamed;

  CopyPairs(NodeOrder nodes, Program rewritten, UnrenamableVariables neverRenamed) {
    this.nodes = nodes;
    this.rewritten = rewritten;
    this.neverRenamed = neverRenamed;
  }

  /**
   * Returns, by copy of the rewritten program, the position of its partner among the copies of the
   * original; ascending, -1 for a copy without a partner. O(copies).
   *
   * @param copies the nodes of the original's copies
   * @param others the rewritten program's copies
   */
  int[] partners(IntList copies, List<Operation> others) {
    int[] partners = new int[others.size()];
    boolean oneToOne = copies.size() == partners.length;
    for (int i = 0; oneToOne && i < partners.length; i++) {
      partners[i] = i;
      oneToOne = aloneTarget(nodes.operation(copies.get(i))) == aloneOwner(others.get(i));
    }
    if (oneToOne) {
      return partners;
    }
    int position = 0;
    for (int i = 0; i < partners.length; i++) {
      partners[i] = -1;
      int target = aloneOwner(others.get(i));
      for (; target >= 0 && partners[i] < 0 && position < copies.size(); position++) {
        if (aloneTarget(nodes.operation(copies.get(position))) == target) {
          partners[i] = position;
        }
      }
    }
    return partners;
  }

  /** The target of a copy of the original if no other variable may take its name, else -1. */
  private int aloneTarget(Operation copy) {
    return neverRenamed.isAlone(copy.output(0)) ? copy.output(0) : -1;
  }

  /**
   * The original variable with the name of the target of a copy of the rewritten program, if no
   * other variable may take that name, else -1.
   */
  private int aloneOwner(Operation copy) {
    Variable target = rewritten.variable(copy.output(0));
    int owner = nodes.program().declared(target.block(), target.name());
    return owner != Program.NO_VARIABLE && neverRenamed.isAlone(owner) ? owner : -1;
  }
}
