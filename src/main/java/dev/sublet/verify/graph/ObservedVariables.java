package dev.sublet.verify.graph;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The variables that have a value when a program starts, the observed variables, and the locals
 * that are always overwritten before they are read. One pass over the accesses.
 */
public final class ObservedVariables {

  private static final int NEVER = -1;

  private final NodeOrder nodeOrder;
  private final int[] firstRead;
  private final int[] firstWrite;
  private final int[] lastRead;
  private final int[] lastWrite;
  private final BitSet firstKills = new BitSet();
  private final BitSet feeds = new BitSet();
  private final BitSet observed = new BitSet();
  private final ImmutableMap<String, String> aliases;

  private ObservedVariables(NodeOrder nodeOrder, ImmutableMap<String, String> aliases) {
    this.nodeOrder = nodeOrder;
    this.aliases = aliases;
    int count = nodeOrder.program().variableCount();
    this.firstRead = filled(count);
    this.firstWrite = filled(count);
    this.lastRead = filled(count);
    this.lastWrite = filled(count);
  }

  private static int[] filled(int count) {
    int[] nodes = new int[count];
    Arrays.fill(nodes, NEVER);
    return nodes;
  }

  /** Finds the observed variables. O(accesses). */
  public static ObservedVariables of(NodeOrder nodeOrder, DefUses accesses, ProofOptions options) {
    return of(nodeOrder, accesses, options, ImmutableSet.of());
  }

  /** Finds the observed variables, with additional ones. */
  public static ObservedVariables of(
      NodeOrder nodeOrder,
      DefUses accesses,
      ProofOptions options,
      ImmutableSet<String> alsoObserved) {
    ObservedVariables variables = new ObservedVariables(nodeOrder, options.aliases());
    variables.sweep(accesses);
    variables.findFeeds();
    variables.findObserved(options);
    for (String name : alsoObserved) {
      add(nodeOrder.program().declared(0, name), variables.observed);
    }
    return variables;
  }

  private void sweep(DefUses accesses) {
    DefUses.Visitor visitor =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {
            if (firstRead[variable] == NEVER) {
              firstRead[variable] = node;
            }
            lastRead[variable] = node;
          }

          @Override
          public void write(int node, int variable, boolean kills) {
            boolean first = firstRead[variable] == NEVER && firstWrite[variable] == NEVER;
            if (first && kills && isAtTopLevel(node, variable)) {
              firstKills.set(variable);
            }
            if (firstWrite[variable] == NEVER) {
              firstWrite[variable] = node;
            }
            lastWrite[variable] = node;
          }
        };
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      accesses.visit(node, visitor);
    }
  }

  private boolean isAtTopLevel(int node, int variable) {
    return nodeOrder.operation(node).block() == nodeOrder.program().variable(variable).block();
  }

  private void findFeeds() {
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      Operation operation = nodeOrder.operation(node);
      if (operation.type().equals("feed") && operation.block() == 0) {
        addOutputs(operation, feeds);
      }
    }
    int[] firstRequest = findFirstRequests();
    for (Variable variable : nodeOrder.program().block(0).variables()) {
      int v = variable.index();
      boolean readFirst =
          firstRequest[v] != NEVER && (firstWrite[v] == NEVER || firstRequest[v] <= firstWrite[v]);
      boolean undefined = variable.kind() == Variable.Kind.TENSOR && !variable.isPersistable();
      if (variable.needsFeedCheck() || (undefined && readFirst)) {
        feeds.set(v);
      }
    }
  }

  /**
   * Returns, by variable, the first node that requests its value in a slot. A control operator that
   * also lists the variable among its outputs does not count, because it lists the variable as an
   * input only for later iterations.
   */
  private int[] findFirstRequests() {
    int[] first = new int[nodeOrder.program().variableCount()];
    Arrays.fill(first, NEVER);
    for (int node = nodeOrder.nodeCount() - 1; node >= 0; node--) {
      if (nodeOrder.isExit(node)) {
        continue;
      }
      Operation operation = nodeOrder.operation(node);
      for (int i = 0; i < operation.inputCount(); i++) {
        int v = operation.input(i);
        boolean asked = !nodeOrder.isHead(node) || operation.countOutputs(v) == 0;
        if (v != Program.NO_VARIABLE && asked) {
          first[v] = node;
        }
      }
      ImmutableIntArray touched = nodeOrder.touches(node);
      for (int i = 0; i < touched.length(); i++) {
        first[touched.get(i)] = node;
      }
    }
    return first;
  }

  private void findObserved(ProofOptions options) {
    boolean saysResults = !options.fetch().isEmpty();
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      Operation operation = nodeOrder.operation(node);
      if (operation.isTarget()) {
        addOutputs(operation, observed);
        saysResults = true;
      }
      if ((operation.type().equals("fetch") || operation.type().equals("fetch_v2"))) {
        for (int i = 0; i < operation.inputCount(); i++) {
          add(operation.input(i), observed);
        }
        saysResults = true;
      }
    }
    for (Variable variable : nodeOrder.program().variables()) {
      if (variable.isPersistable()
          || options.fetch().contains(variable.name())
          || options.keep().contains(variable.name())
          || (!saysResults && isUnreadResult(variable))) {
        observed.set(variable.index());
      }
    }
    if (!options.reuseFeeds()) {
      BitSet kept = (BitSet) feeds.clone();
      for (String feed : aliases.keySet()) {
        int variable = nodeOrder.program().declared(0, feed);
        if (variable != Program.NO_VARIABLE) {
          kept.clear(variable);
        }
      }
      observed.or(kept);
    }
  }

  private boolean isUnreadResult(Variable variable) {
    int v = variable.index();
    return variable.block() == 0 && lastWrite[v] != NEVER && lastWrite[v] > lastRead[v];
  }

  private static void addOutputs(Operation operation, BitSet set) {
    for (int i = 0; i < operation.outputCount(); i++) {
      add(operation.output(i), set);
    }
  }

  private static void add(int variable, BitSet set) {
    if (variable != Program.NO_VARIABLE) {
      set.set(variable);
    }
  }

  /** By the name of a feed, the result that must begin at the same byte after the run. */
  public ImmutableMap<String, String> aliases() {
    return aliases;
  }

  /** Whether the variable's value is set from outside before the program starts. */
  public boolean isFeed(int variable) {
    return feeds.get(variable);
  }

  /** Whether the variable has a value when the program starts. */
  public boolean isDefinedAtStart(int variable) {
    return feeds.get(variable) || nodeOrder.program().variable(variable).isPersistable();
  }

  /**
   * Whether the variable must have its value at the end of the program or, for a local, at the end
   * of each run of its body.
   */
  public boolean isObserved(int variable) {
    return observed.get(variable);
  }

  /**
   * Whether each run of the body that declares the variable overwrites it before any other access,
   * so that its value from earlier runs does not matter.
   */
  public boolean isOverwrittenFirst(int variable) {
    return firstKills.get(variable);
  }

  /**
   * Whether one node writes the variable and there is no other access to it, inside or outside the
   * program.
   */
  public boolean isOnlyWritten(int node, int variable) {
    return isUnseen(variable) && firstWrite[variable] == node && lastWrite[variable] == node;
  }

  /**
   * Whether no node reads the variable and it is not observed, so that nothing depends on its
   * value.
   */
  public boolean isUnseen(int variable) {
    return firstRead[variable] == NEVER && !observed.get(variable);
  }

  /** Whether any node accesses the variable. */
  boolean isAccessed(int variable) {
    return firstRead[variable] != NEVER || firstWrite[variable] != NEVER;
  }
}
