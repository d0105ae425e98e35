package dev.sublet.verify.graph;

import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.List;

/**
 * Which copies of the rewritten program stand for which of the original's, among those that stand
 * together: all, one to one, if there are equally many; else only those into variables whose names
 * no other may take, say persistables. Such a copy must not be on one side only, because others
 * than the program's operators may see what it writes; they are paired by their targets, in order.
 *
 * <p>No choice of pairs can make a wrong program pass. A copy changes only what is known about
 * variables of its own side, and each side's copies are interpreted in that side's order, whatever
 * they are paired with. To be paired only adds demands: that both read the same value, and write
 * variables of one name.
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
   * The pairs among copies that stand together: by copy of the rewritten program, the position of
   * its partner, ascending; -1 for none. O(copies).
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

  /** What a copy of the original writes if no other variable may take its name, else -1. */
  private int aloneTarget(Operation copy) {
    return neverRenamed.isAlone(copy.output(0)) ? copy.output(0) : -1;
  }

  /** The same of a copy of the rewritten program: its target's namesake in the original. */
  private int aloneOwner(Operation copy) {
    Variable target = rewritten.variable(copy.output(0));
    int owner = nodes.program().declared(target.block(), target.name());
    return owner != Program.NO_VARIABLE && neverRenamed.isAlone(owner) ? owner : -1;
  }
}
