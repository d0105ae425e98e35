package dev.sublet.loop;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows what a carry copies back to where it comes from: through temporaries to another carried
 * variable, or to what the iteration computes.
 */
final class LoopCarrySources {

  /** A chain of copies longer than this is not followed. */
  private static final int MAX_STEPS = 16;

  /**
   * A copy of a carried variable that lives in the body only.
   *
   * @param node the operator that copies
   * @param variable what it copies to
   * @param web the copy's web
   */
  record Temporary(int node, int variable, int web) {}

  private final LoopCarryAnalysis finder;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Region loop;
  private final List<Candidate> candidates;

  LoopCarrySources(LoopCarryAnalysis finder, Region loop, List<Candidate> candidates) {
    this.finder = finder;
    this.graph = finder.graph();
    this.ranges = finder.ranges();
    this.loop = loop;
    this.candidates = candidates;
  }

  /** Finds out what a candidate copies; refuses it if that is neither of the two. */
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
        candidate.temporaries.add(new Temporary(writer, variable, web));
        variable = graph.operation(writer).input(0);
        node = writer;
        continue;
      }
      Candidate other = targeting(variable);
      if (other == null) {
        candidate.refuse(objection(variable, web));
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

  /** Why what no carry brings, and does not live in the body only, cannot be where its copy is. */
  private String objection(int variable, int web) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      boolean isInLoop = loop.head() < node && node < loop.exit();
      if (accesses.writes(access) && isInLoop && ranges.contains(web, 2 * node + 1)) {
        return finder.facts().isObserved(variable) || finder.facts().keepsName(variable)
            ? "what it copies must keep its name"
            : "what it copies is needed behind its iteration, too";
      }
    }
    return "the loop does not compute what it copies";
  }

  /** Whether a web lives in the body only, and not from one iteration to the next. */
  private boolean isInside(int web) {
    return ranges.firstPoint(web) > 2 * loop.head() + 2 && ranges.lastPoint(web) <= 2 * loop.exit();
  }

  /** The copy in the body itself that is the only write of a web, or -1. */
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
            && finder.copies().isOne(graph.operation(writer));
    return isCopy ? writer : -1;
  }

  /** Whether what a copy reads is a carried variable that still has its old value there. */
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
