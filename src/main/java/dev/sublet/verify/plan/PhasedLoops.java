package dev.sublet.verify.plan;

import dev.sublet.verify.graph.NodeOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Runs a loop that moves variables once in each of its phases: the state at the end of a phase
 * flows to the head of the next one, that of the last phase to the first one of the cycle, until
 * nothing changes. Behind the loop holds what all heads have in common, if it is said by the number
 * of iterations.
 *
 * <p>What is not known of a loop's phase is a static matter: before its first run there were no
 * iterations; while it runs its phase is the one that is interpreted; otherwise it may be any, from
 * the head of an outer loop on, since an earlier iteration of that may have run it.
 *
 * <p>A head's state is kept as far as it differs from the one in which the loop was entered. Each
 * phase is O(changes in it × log), besides the body.
 */
final class PhasedLoops {

  /** A loop that is being run. */
  private static final class Run {
    private final int head;
    private final int loop;

    /** By phase, as far as they were reached: what the head has otherwise than the entry. */
    private final List<SortedMap<Integer, Integer>> heads = new ArrayList<>();

    private int phase;
    private boolean weaker;

    Run(int head, int loop) {
      this.head = head;
      this.loop = loop;
      heads.add(new TreeMap<>());
    }
  }

  private final NodeOrder nodes;
  private final PhasedLocations locations;
  private final LoopPhases loops;
  private final PlacementState state;
  private final ArrayDeque<Run> runs = new ArrayDeque<>();

  PhasedLoops(NodeOrder nodes, PhasedLocations locations, PlacementState state) {
    this.nodes = nodes;
    this.locations = locations;
    this.loops = locations.loops();
    this.state = state;
  }

  /** Whether a head's loop is run in phases. */
  boolean isPhased(int head) {
    return loops.size() > 0 && loops.at(head) >= 0;
  }

  /**
   * A control operator is reached from outside. If it is a loop, it and those in its body may have
   * any number of iterations from now on, until they are entered; its own begin anew.
   *
   * @return what was known of the loops before
   */
  int[] reach(int head) {
    int[] before = locations.phases();
    for (int loop = 0; nodes.control(head).isLoop() && loop < loops.size(); loop++) {
      if (loops.isInside(loop, head)) {
        locations.setPhase(loop, PhasedLocations.ANY_PHASE);
      }
    }
    if (isPhased(head)) {
      loseMoved(loops.at(head));
    }
    return before;
  }

  /** What is where a loop's old count puts it is somewhere unknown once that begins anew. */
  private void loseMoved(int loop) {
    for (int i = 0; i < locations.moving().size(); i++) {
      int v = locations.moving().get(i);
      if (state.get(v) >= 0 && locations.dependsOn(state.get(v), loop)) {
        state.set(v, PlacementState.INVALID);
      }
    }
  }

  /** Enters a loop that was reached, whose body is open. */
  void enter(int head) {
    runs.push(new Run(head, loops.at(head)));
    start(runs.getFirst(), 0);
  }

  /** The body's end is reached; whether the next phase follows in this round. */
  boolean nextPhase() {
    Run run = runs.getFirst();
    int count = loops.count(run.loop);
    int next = run.phase + 1 < count ? run.phase + 1 : loops.wrap(run.loop);
    SortedMap<Integer, Integer> end = state.takeBack();
    if (next == run.heads.size()) {
      run.heads.add(end);
    } else {
      boolean weaker = flow(end, run.heads.get(next), /* isEntry= */ next == 0);
      run.weaker |= weaker && next <= run.phase;
    }
    if (run.phase + 1 == count) {
      return false;
    }
    start(run, next);
    return true;
  }

  /** Weakens a head by the end of a phase that leads there; whether that makes a difference. */
  private boolean flow(Map<Integer, Integer> end, Map<Integer, Integer> head, boolean isEntry) {
    SortedSet<Integer> either = new TreeSet<>(end.keySet());
    either.addAll(head.keySet());
    boolean weaker = false;
    for (int v : either) {
      int before = head.getOrDefault(v, state.get(v));
      int after = end.getOrDefault(v, state.get(v));
      int common = isEntry ? state.meet(before, after) : PlacementState.common(before, after);
      weaker |= common != before;
      head.put(v, common);
    }
    return weaker;
  }

  private void start(Run run, int phase) {
    run.phase = phase;
    for (int loop = 0; loop < loops.size(); loop++) {
      if (loops.isInside(loop, run.head)) {
        // Before the cycle the loops inside have not run since the entry.
        boolean isNew = phase < loops.wrap(run.loop);
        locations.setPhase(loop, isNew ? state.reached()[loop] : PhasedLocations.ANY_PHASE);
      }
    }
    locations.setPhase(run.loop, phase);
    run.heads.get(phase).forEach(state::set);
  }

  /** All phases have been run; whether another round is needed. */
  boolean nextRound() {
    Run run = runs.getFirst();
    boolean weaker = run.weaker;
    if (weaker) {
      run.weaker = false;
      start(run, 0);
    }
    return weaker;
  }

  /** Leaves a loop after any number of iterations, with the state of the head of their phase. */
  void leave(int exit) {
    Run run = runs.pop();
    locations.setPhase(run.loop, PhasedLocations.ANY_PHASE);
    SortedSet<Integer> changed = new TreeSet<>();
    run.heads.forEach(head -> changed.addAll(head.keySet()));
    int[] places = new int[run.heads.size()];
    for (int v : changed) {
      for (int phase = 0; phase < places.length; phase++) {
        places[phase] = run.heads.get(phase).getOrDefault(v, state.get(v));
      }
      // The state is still that of the entry, also for the variables that come later.
      state.set(v, inAllPhases(run.loop, places, locations.at(v, 2 * exit + 1)));
    }
    state.leaveLoop();
  }

  /** What is certain if the value is at one of the places, by phase. */
  private int inAllPhases(int loop, int[] places, int planned) {
    boolean asPlanned = planned != PhasedLocations.NONE;
    int common = PlacementState.UNWRITTEN;
    for (int phase = 0; phase < places.length; phase++) {
      if (places[phase] == PlacementState.UNWRITTEN) {
        continue;
      }
      asPlanned &= planned != PhasedLocations.NONE && isAt(planned, loop, phase, places[phase]);
      boolean same = common == PlacementState.UNWRITTEN || common == places[phase];
      common = same ? places[phase] : PlacementState.INVALID;
    }
    return asPlanned && common != PlacementState.UNWRITTEN ? planned : common;
  }

  /** Whether a place is that of a site in a phase of the loop. */
  private boolean isAt(int planned, int loop, int phase, int place) {
    int location = locations.inPhase(planned, loop, phase);
    return location == place
        || (phase < loops.wrap(loop) && locations.known(location, state.reached()) == place);
  }
}
