package dev.sublet.placement.testing;

import static com.google.common.base.Preconditions.checkState;

import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.IntervalVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.Literal;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * The smallest arena of a problem, by CP-SAT of OR-Tools: an offset is an alignment times an
 * integer, and at every point at which an interval begins the bytes in use do not overlap. Knows
 * nothing of units, sections or canonical forms. One worker and a fixed seed.
 */
public final class CpSatOracle {

  static {
    Loader.loadNativeLibraries();
  }

  private final CpModel model = new CpModel();
  private final PlanningProblem problem;
  private final LinearExpr[] offsets;
  private final IntVar arena;

  private CpSatOracle(PlanningProblem problem, boolean mayInterleave, long knownArena) {
    this.problem = problem;
    this.offsets = new LinearExpr[problem.bufferCount()];
    this.arena = model.newIntVar(0, knownArena, "arena");
    for (int b = 0; b < offsets.length; b++) {
      long alignment = problem.alignment(b);
      long highest = (knownArena - problem.size(b)) / alignment;
      IntVar multiple = model.newIntVar(0, highest, "multiple" + b);
      offsets[b] = LinearExpr.term(multiple, alignment);
      model.addGreaterOrEqual(arena, LinearExpr.affine(multiple, alignment, problem.size(b)));
      if (problem.isPinned(b)) {
        model.addEquality(offsets[b], problem.pin(b));
      }
      for (int a = 0; a < b && !mayInterleave; a++) {
        order(a, b);
      }
    }
    for (int i = 0; i < problem.intervalCount(); i++) {
      separateAt(problem.begin(i));
    }
    model.minimize(arena);
  }

  /** The smallest arena of all: buffers with windows may be interleaved. */
  public static long optimum(PlanningProblem problem, long knownArena) {
    return new CpSatOracle(problem, /* mayInterleave= */ true, knownArena).solve();
  }

  /** The smallest arena in which of two buffers one has the lower offset and lies below always. */
  public static long orderedOptimum(PlanningProblem problem, long knownArena) {
    return new CpSatOracle(problem, /* mayInterleave= */ false, knownArena).solve();
  }

  private void separateAt(int point) {
    List<IntervalVar> windows = new ArrayList<>();
    long load = 0;
    for (int b = 0; b < offsets.length; b++) {
      for (int i = problem.firstInterval(b); i < problem.endInterval(b); i++) {
        if (problem.begin(i) <= point && point < problem.end(i)) {
          long bytes = problem.high(i) - problem.low(i);
          LinearExpr low = LinearExpr.newBuilder().add(offsets[b]).add(problem.low(i)).build();
          windows.add(model.newFixedSizeIntervalVar(low, bytes, "window " + i));
          load += bytes;
        }
      }
    }
    model.addNoOverlap(windows);
    model.addGreaterOrEqual(arena, load); // follows, but CP-SAT is much faster for it
  }

  private void order(int a, int b) {
    BoolVar isBelow = model.newBoolVar("order " + a + " " + b);
    for (int i = problem.firstInterval(a); i < problem.endInterval(a); i++) {
      for (int j = problem.firstInterval(b); j < problem.endInterval(b); j++) {
        if (problem.begin(i) < problem.end(j) && problem.begin(j) < problem.end(i)) {
          long above = Math.max(0, problem.high(i) - problem.low(j));
          long below = Math.max(0, problem.high(j) - problem.low(i));
          addDistance(offsets[a], offsets[b], above, isBelow);
          addDistance(offsets[b], offsets[a], below, isBelow.not());
        }
      }
    }
  }

  private void addDistance(LinearExpr lower, LinearExpr upper, long distance, Literal condition) {
    LinearExpr difference = LinearExpr.newBuilder().add(upper).addTerm(lower, -1).build();
    model.addGreaterOrEqual(difference, distance).onlyEnforceIf(condition);
  }

  private long solve() {
    CpSolver solver = new CpSolver();
    solver.getParameters().setNumWorkers(1).setRandomSeed(1);
    CpSolverStatus status = solver.solve(model);
    checkState(status == CpSolverStatus.OPTIMAL, "CP-SAT says %s", status);
    return Math.round(solver.objectiveValue());
  }
}
