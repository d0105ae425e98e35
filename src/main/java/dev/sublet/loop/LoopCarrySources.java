package dev.sublet.loop;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the origin of the value of a loop-carried copy: follows temporaries back to another
 * loop-carried variable, or to an operator of the iteration that computes the value.
 *
 * <pre>{@code
 * t = assign(a); a = assign(y); b = assign(t)     b gets a's old value, through the temporary t
 * }</pre>
 */
final class LoopCarrySources {

  /** The greatest number of copies that are followed. */
  private static final int MAX_STEPS = 16;

  /**
   * A variable of the body, live only within one iteration, that gets a copy of a loop-carried
   * variable.
   *
   * @param node the copying operator
   * @param variable the target of the copy
   * @param web the target's web
   */
  record Temporary(int node, int variable, int web) {}

  private final VariableFacts facts;
  private final PlainCopies copies;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Region loop;
  private final List<Candidate> candidates;

  LoopCarrySources(
      VariableFacts facts, PlainCopies copies, Region loop, List<Candidate> candidates) {
    this.facts = facts;
    this.copies = copies;
    this.graph = facts.graph();
    this.ranges = facts.ranges();
    this.loop = loop;
    this.candidates = candidates;
  }

  Region loop() {
    return loop;
  }

  /** The loop's candidates, in the order of their nodes. */
  List<Candidate> candidates() {
    return candidates;
  }

  /**
   * Sets a candidate's root or predecessor. Refuses the candidate if its value has neither origin,
   * or passes through another memory space, or through a variable that is not like the target.
   */
  void resolve(Candidate candidate) {
    candidate.root = -1;
    candidate.predecessor = null;
    candidate.temporaries.clear();
    int variable = candidate.source;
    int node = candidate.node;
    for (int step = 0; step < MAX_STEPS; step++) {
      int web = ranges.webAt(variable, 2 * node);
      if (web < 0) {
        candidate.refuse("what it copies has no value of its own");
        return;
      }
      if (isInside(web)) {
        int writer = onlyCopyInto(variable, web);
        if (writer < 0 || !leadsToCarried(writer)) {
          candidate.temporaries.clear();
          candidate.root = web;
          return;
        }
        if (!facts.areInOneMemorySpace(variable, candidate.target)) {
          candidate.refuse("it is copied through another memory space");
          return;
        }
        if (!facts.haveSameBytes(variable, candidate.target)) {
          candidate.refuse("it is copied through a variable of another size or type");
          return;
        }
        candidate.temporaries.add(new Temporary(writer, variable, web));
        variable = graph.operation(writer).input(0);
        node = writer;
        continue;
      }
      Candidate other = targeting(variable);
      if (other == null) {
        candidate.refuse(refusal(variable, web));
        return;
      }
      if (other == candidate) {
        candidate.refuse("it is carried its own value, which changes nothing");
        return;
      }
      if (other.node > node) {
        candidate.predecessor = other;
        return;
      }
      if (!candidate.temporaries.isEmpty()) {
        candidate.refuse("it copies what was carried before");
        return;
      }
      variable = other.source;
      node = other.node;
    }
    candidate.refuse("it copies a copy of a copy of …");
  }

  /**
   * Returns the reason why a value that is neither loop-carried nor local to an iteration cannot
   * take the location of its copy.
   */
  private String refusal(int variable, int web) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      boolean isInLoop = loop.head() < node && node < loop.exit();
      if (accesses.writes(access) && isInLoop && ranges.contains(web, 2 * node + 1)) {
        return facts.isObserved(variable) || facts.keepsName(variable)
            ? "the copied variable must keep its name"
            : "the copied value is also needed after its iteration";
      }
    }
    return "the loop does not compute the copied value";
  }

  /** Whether a web is live only in the body, and not across iterations. */
  private boolean isInside(int web) {
    return ranges.firstPoint(web) > 2 * loop.head() + 2 && ranges.lastPoint(web) <= 2 * loop.exit();
  }

  /** The copy in the body itself that is the only write of a web; -1 if there is none. */
  private int onlyCopyInto(int variable, int web) {
    AccessTable accesses = graph.accesses();
    int writer = -1;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access) && ranges.contains(web, 2 * node + 1)) {
        if (writer >= 0) {
          return -1;
        }
        writer = node;
      }
    }
    boolean isCopy =
        writer >= 0
            && graph.regionOfNode(writer) == loop.index()
            && copies.isOne(graph.operation(writer));
    return isCopy ? writer : -1;
  }

  /** Whether a copy reads a loop-carried variable that still has its old value there. */
  private boolean leadsToCarried(int copy) {
    int variable = graph.operation(copy).input(0);
    int web = ranges.webAt(variable, 2 * copy);
    if (web < 0) {
      return false;
    }
    if (isInside(web)) {
      int writer = onlyCopyInto(variable, web);
      return writer >= 0 && writer < copy && leadsToCarried(writer);
    }
    Candidate other = targeting(variable);
    return other != null && other.node > copy;
  }

  private @Nullable Candidate targeting(int variable) {
    for (Candidate candidate : candidates) {
      if (candidate.target == variable && !candidate.isRefused()) {
        return candidate;
      }
    }
    return null;
  }
}
