package dev.sublet.liveness;

import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * The textbook live-in and live-out sets of each node, with no variable live at the end of the
 * program.
 *
 * <p>These are the unrefined equations of Paddle's design document: every output of a straight-line
 * operator is a definition, even where the catalog states a partial write. Solved over the whole
 * graph, 64 variables at a time, in O(nodes × variables / 64 × loop depth) time and space. Meant
 * for small programs that a person reads, not for a million operators.
 */
public final class LiveSets {

  private final Program program;
  private final List<DataflowResult> solutions;

  private LiveSets(Program program, List<DataflowResult> solutions) {
    this.program = program;
    this.solutions = solutions;
  }

  /** Solves the equations for all variables of a program. */
  public static LiveSets solve(ControlFlowGraph graph) {
    Program program = graph.program();
    List<DataflowResult> solutions = new ArrayList<>();
    for (int first = 0; first < program.variableCount(); first += Long.SIZE) {
      WholeGraphFlow flow = new WholeGraphFlow(graph, first);
      DataflowResult solution = new DataflowResult();
      DataflowSolver.solve(flow, solution);
      solutions.add(solution);
    }
    return new LiveSets(program, solutions);
  }

  /** The names of the variables that are live into a node. O(variables). */
  public ImmutableSortedSet<String> liveIn(int node) {
    return names(node, /* before= */ true);
  }

  /** The names of the variables that are live out of a node. O(variables). */
  public ImmutableSortedSet<String> liveOut(int node) {
    return names(node, /* before= */ false);
  }

  private ImmutableSortedSet<String> names(int node, boolean before) {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    for (int i = 0; i < program.variableCount(); i++) {
      DataflowResult solution = solutions.get(i / Long.SIZE);
      long facts = before ? solution.before(node) : solution.after(node);
      if ((facts >>> (i % Long.SIZE) & 1) != 0) {
        names.add(program.variable(i).name());
      }
    }
    return names.build();
  }

  /** The backward problem over all nodes, for 64 variables. */
  private static final class WholeGraphFlow implements DataflowProblem {

    private final int[] first;
    private final int[] second;
    private final long[] gen;
    private final long[] kill;

    WholeGraphFlow(ControlFlowGraph graph, int firstVariable) {
      int count = graph.nodeCount();
      first = new int[count];
      second = new int[count];
      gen = new long[count];
      kill = new long[count];
      for (int node = 0; node < count; node++) {
        List<Integer> successors = graph.successors(node);
        first[node] = successors.get(0);
        second[node] = successors.size() > 1 ? successors.get(1) : -1;
      }
      AccessTable accesses = graph.accesses();
      int end = Math.min(firstVariable + Long.SIZE, graph.program().variableCount());
      for (int variable = firstVariable; variable < end; variable++) {
        long fact = 1L << (variable - firstVariable);
        for (int a = accesses.begin(variable); a < accesses.end(variable); a++) {
          int node = accesses.node(a);
          boolean straight = graph.isKernel(node);
          gen[node] |= accesses.reads(a) ? fact : 0;
          kill[node] |= accesses.writes(a) && straight ? fact : 0;
        }
      }
    }

    @Override
    public Direction direction() {
      return Direction.BACKWARD;
    }

    @Override
    public int nodeCount() {
      return first.length;
    }

    @Override
    public int successor(int node) {
      return first[node];
    }

    @Override
    public int secondSuccessor(int node) {
      return second[node];
    }

    @Override
    public long gen(int node) {
      return gen[node];
    }

    @Override
    public long kill(int node) {
      return kill[node];
    }

    @Override
    public long boundary() {
      return 0;
    }
  }
}
