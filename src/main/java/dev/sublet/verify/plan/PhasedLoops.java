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
 * Runs each loop that moves variables once per phase, until the states no longer change.
 *
 * <p>The state at the end of a phase flows to the head of the next phase, and that of the last
 * phase to the first phase of the cycle. After the loop, a variable's location is certain if the
 * locations at all heads agree, or if each is where the plan has the variable after that many
 * iterations.
 *
 * <pre>
 *   a loop of 2 phases, x in slot 0 or 1 by the parity of the iteration
 *   head of phase 0: x in slot 0;  head of phase 1: x in slot 1
 *   after the loop: x in slot 0 or 1, by the number of iterations
 * </pre>
 *
 * <p>Whether a loop's phase is known depends only on the position in the program. Before the loop's
 * first run it has had no iterations. While it runs, its phase is the one being interpreted.
 * Otherwise the phase is unknown; so it is from the head of an outer loop on, because an earlier
 * iteration of the outer loop may have run the loop.
 *
 * <p>The state of a head is stored as its difference from the state at the loop's entry. Each phase
 * is O(changes in it × log), in addition to the body.
 */
final class PhasedLoops {

  /** A loop that is being run. */
  private static final class Run {
    private final int head;
    private final int loop;

    /** By phase that was reached: the difference of the head's state from that at the entry. */
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
   * Reaches a control operator from outside. If it is a loop, its phase and those of the loops in
   * its body are unknown from now on, until they are entered; its own count starts again.
   *
   * @return the phases known before
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

  /**
   * Marks as lost the values whose location depends on a loop's old count, because the count starts
   * again.
   */
  private void loseMoved(int loop) {
    for (int i = 0; i < locations.moving().size(); i++) {
      int v = locations.moving().get(i);
      if (state.get(v) >= 0 && locations.dependsOn(state.get(v), loop)) {
        state.set(v, PlacementState.INVALID);
      }
    }
  }

  /** Enters a loop that was reached and whose body is open. */
  void enter(int head) {
    runs.push(new Run(head, loops.at(head)));
    start(runs.getFirst(), 0);
  }

  /**
   * Reaches the end of the body in a phase. Returns whether the next phase follows in this round.
   */
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

  /**
   * Weakens a head by the state at the end of a phase that leads to it. Returns whether the head
   * changed.
   */
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
        // In the phase before the cycle the inner loops have not run since the entry.
        boolean isNew = phase < loops.wrap(run.loop);
        locations.setPhase(loop, isNew ? state.reached()[loop] : PhasedLocations.ANY_PHASE);
      }
    }
    locations.setPhase(run.loop, phase);
    run.heads.get(phase).forEach(state::set);
  }

  /** Ends a round over all phases. Returns whether another round is needed. */
  boolean nextRound() {
    Run run = runs.getFirst();
    boolean weaker = run.weaker;
    if (weaker) {
      run.weaker = false;
      start(run, 0);
    }
    return weaker;
  }

  /**
   * Leaves a loop after an unknown number of iterations, with the state at the head of their phase.
   */
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
      // The state is still that of the entry, also for the variables that follow.
      state.set(v, inAllPhases(run.loop, places, locations.at(v, 2 * exit + 1)));
    }
    state.leaveLoop();
  }

  /**
   * The location that is certain if the value is at one of the given ones.
   *
   * @param places the location at each phase's head
   * @param planned where the plan has the variable after the loop
   */
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

  /** Whether a location is that of the planned one in a phase of the loop. */
  private boolean isAt(int planned, int loop, int phase, int place) {
    int location = locations.inPhase(planned, loop, phase);
    return location == place
        || (phase < loops.wrap(loop) && locations.known(location, state.reached()) == place);
  }
}
