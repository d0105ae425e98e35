package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place in a block where an element of a tensor is read or written.
 *
 * @param tensor the tensor; for a carried variable, where requested, a name that no tensor has
 * @param at one index per axis
 * @param writes whether the element may change here
 * @param depth the number of loops around the statement
 */
public record Site(String tensor, ImmutableList<IndexExpression> at, boolean writes, int depth) {

  /** Whether the order of two sites may matter. */
  public boolean conflictsWith(Site other) {
    return (writes || other.writes) && tensor.equals(other.tensor);
  }

  /**
   * Returns the sites of a block's statements, in the order of the loops from outside. Reads in the
   * bounds of loops are not included.
   */
  public static List<Site> of(LoopBlock block) {
    List<Site> sites = new ArrayList<>();
    for (int depth = 1; depth <= block.loops().size(); depth++) {
      for (Statement statement : block.loops().get(depth - 1).statements()) {
        sites.addAll(of(statement, depth));
      }
    }
    return sites;
  }

  /** Returns the sites of a statement at a depth. */
  public static ImmutableList<Site> of(Statement statement, int depth) {
    ImmutableList.Builder<Site> sites = ImmutableList.builder();
    Optional<Access> target = target(statement);
    if (target.isPresent()) {
      sites.add(new Site(target.get().tensor(), target.get().at(), true, depth));
    }
    for (Reads.Read read : Reads.of(statement)) {
      sites.add(new Site(read.tensor(), read.at(), false, depth));
    }
    return sites.build();
  }

  /** Returns the element that a statement writes; empty for a fold. */
  public static Optional<Access> target(Statement statement) {
    if (statement instanceof Statement.Assignment assignment) {
      return Optional.of(assignment.target());
    }
    return statement instanceof Statement.Accumulation accumulation
        ? Optional.of(accumulation.target())
        : Optional.empty();
  }

  /**
   * Returns the sites of a block, and sites for its carried variables as if they were tensors with
   * one axis per loop from the outermost to their own.
   */
  static List<Site> withCarried(LoopBlock block) {
    List<Site> sites = of(block);
    Map<Integer, ImmutableList<IndexExpression>> homes = new HashMap<>();
    List<IndexExpression> around = new ArrayList<>();
    for (Loop loop : block.loops()) {
      around.add(new LoopIndex(loop.id()));
      loop.carried().forEach(c -> homes.put(c.id(), ImmutableList.copyOf(around)));
    }
    for (int depth = 1; depth <= block.loops().size(); depth++) {
      for (Statement statement : block.loops().get(depth - 1).statements()) {
        if (statement instanceof Statement.Fold fold) {
          sites.add(carried(fold.carried(), homes, true, depth));
        }
        for (int id : Reads.carriedIn(statement.value())) {
          sites.add(carried(id, homes, false, depth));
        }
      }
    }
    return sites;
  }

  private static Site carried(
      int id, Map<Integer, ImmutableList<IndexExpression>> homes, boolean writes, int depth) {
    ImmutableList<IndexExpression> home = homes.get(id);
    if (home == null) {
      throw new IllegalArgumentException("carried variable " + id + " of no loop");
    }
    return new Site("carried " + id, home, writes, depth);
  }
}
