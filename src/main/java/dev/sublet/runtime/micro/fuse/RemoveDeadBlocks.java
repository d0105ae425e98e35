package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.sublet.runtime.micro.fuse.fact.BlockUse;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.Inputs;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Site;
import dev.sublet.runtime.micro.fuse.fact.WholeWrite;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes dead code: statements, carried variables, loops, blocks and temporaries that no output
 * needs.
 *
 * <p>The analysis computes liveness of whole tensors, from the outputs backwards over the blocks.
 * Inputs are given, so writes to them are never live. Within a block, a statement is live if it
 * writes a tensor that is live after the block or that any live statement of the block reads, or if
 * it folds into a carried variable that a live statement reads. An accumulation reads its target.
 * Only an assignment to a whole tensor ({@link WholeWrite}) kills the tensor's earlier value.
 * O(statements²) in a block, otherwise linear.
 *
 * <p>A block with a dead statement keeps its live statements (NNC dropped the whole block).
 */
final class RemoveDeadBlocks implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    Set<String> inputs = new LinkedHashSet<>();
    Set<String> live = new LinkedHashSet<>();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.OUTPUT) {
        live.add(tensor.name());
      } else if (tensor.role() == Role.INPUT) {
        inputs.add(tensor.name());
      }
    }
    List<NamedBlock> kept = new ArrayList<>();
    List<NamedBlock> blocks = NamedBlock.of(program);
    Collections.reverse(blocks);
    for (NamedBlock named : blocks) {
      LoopBlock block = named.block();
      Needs needs = Needs.of(block, live, inputs);
      if (needs.statements.isEmpty()) {
        continue;
      }
      LoopBlock rest = needs.rest(block);
      live.removeAll(overwritten(extents, rest));
      live.addAll(BlockUse.of(rest).reads());
      live.removeAll(inputs);
      kept.add(new NamedBlock(named.function(), rest));
    }
    Collections.reverse(kept);
    return withoutUnused(NamedBlock.replace(program, kept));
  }

  /** Returns the tensors that a block overwrites completely. */
  private static Set<String> overwritten(Extents extents, LoopBlock block) {
    Set<String> overwritten = new LinkedHashSet<>();
    for (int depth = 1; depth <= block.loops().size(); depth++) {
      for (Statement statement : block.loops().get(depth - 1).statements()) {
        if (statement instanceof Statement.Assignment assignment
            && WholeWrite.of(extents, block, depth, assignment).isPresent()) {
          overwritten.add(assignment.target().tensor());
        }
      }
    }
    return overwritten;
  }

  /** Returns the program without the temporaries that no block and no shape mentions. */
  private static MicroProgram withoutUnused(MicroProgram program) {
    Set<String> used = new LinkedHashSet<>();
    for (NamedBlock block : NamedBlock.of(program)) {
      BlockUse use = BlockUse.of(block.block());
      used.addAll(use.reads());
      used.addAll(use.writes());
    }
    ImmutableSet<String> measured = Inputs.measuredOrRequired(program);
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() != Role.TEMPORARY
          || used.contains(tensor.name())
          || measured.contains(tensor.name())) {
        tensors.add(tensor);
      }
    }
    return new MicroProgram(
        program.name(),
        program.parameters(),
        tensors.build(),
        program.requirements(),
        program.functions());
  }

  /** The live parts of one block. */
  private static final class Needs {

    final Set<Statement> statements = Sets.newIdentityHashSet();
    private final Set<Integer> carried = new LinkedHashSet<>();
    private final Set<String> tensors;
    private final Set<String> inputs;

    private Needs(Set<String> tensors, Set<String> inputs) {
      this.tensors = tensors;
      this.inputs = inputs;
    }

    static Needs of(LoopBlock block, Set<String> liveAfter, Set<String> inputs) {
      Needs needs = new Needs(new LinkedHashSet<>(liveAfter), inputs);
      boolean more = true;
      while (more) {
        more = false;
        for (Loop loop : block.loops()) {
          for (Statement statement : loop.statements()) {
            if (!needs.statements.contains(statement) && needs.isLive(statement)) {
              needs.add(statement);
              more = true;
            }
          }
        }
      }
      return needs;
    }

    private boolean isLive(Statement statement) {
      if (statement instanceof Statement.Fold fold) {
        return carried.contains(fold.carried());
      }
      String target = Site.target(statement).orElseThrow().tensor();
      return tensors.contains(target) && !inputs.contains(target);
    }

    private void add(Statement statement) {
      statements.add(statement);
      tensors.addAll(BlockUse.readBy(statement));
      carried.addAll(Reads.carriedIn(statement.value()));
    }

    /** Returns the block without its dead parts and without inner loops that have become empty. */
    LoopBlock rest(LoopBlock block) {
      List<Loop> loops = new ArrayList<>();
      for (Loop loop : block.loops()) {
        ImmutableList.Builder<CarriedVariable> keptCarried = ImmutableList.builder();
        for (CarriedVariable variable : loop.carried()) {
          if (carried.contains(variable.id())) {
            keptCarried.add(variable);
          }
        }
        ImmutableList.Builder<Statement> keptStatements = ImmutableList.builder();
        for (Statement statement : loop.statements()) {
          if (statements.contains(statement)) {
            keptStatements.add(statement);
          }
        }
        loops.add(
            new Loop(
                loop.id(), loop.start(), loop.end(), keptCarried.build(), keptStatements.build()));
      }
      while (loops.get(loops.size() - 1).statements().isEmpty()) {
        loops.remove(loops.size() - 1);
      }
      return new LoopBlock(ImmutableList.copyOf(loops));
    }
  }
}
