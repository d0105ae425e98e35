package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.List;
import java.util.Optional;

/**
 * A temporary whose elements are each read only in the iteration that writes them. One assignment
 * writes it. All reads are in later statements of the same loop, at the same index, and the index
 * is provably in bounds.
 *
 * @param block the number of the block
 * @param loop the loop's place in the nest, from 0
 * @param statement the assignment's place in the loop
 * @param assignment the assignment
 * @param reads the number of reads
 * @param lastRead the place of the last statement that reads the temporary
 */
public record LocalTemporary(
    int block, int loop, int statement, Statement.Assignment assignment, int reads, int lastRead) {

  /**
   * Returns the local temporary for a tensor, if the tensor is one. O(size of the blocks that touch
   * it).
   */
  public static Optional<LocalTemporary> of(Extents extents, BlockIndex blocks, String tensor) {
    LocalTemporary found = null;
    for (int block : blocks.writing(tensor)) {
      List<Loop> loops = blocks.get(block).loops();
      for (int loop = 0; loop < loops.size(); loop++) {
        ImmutableList<Statement> statements = loops.get(loop).statements();
        for (int place = 0; place < statements.size(); place++) {
          Statement statement = statements.get(place);
          if (Site.target(statement).map(Access::tensor).filter(tensor::equals).isEmpty()) {
            continue;
          }
          if (found != null || !(statement instanceof Statement.Assignment assignment)) {
            return Optional.empty();
          }
          found = new LocalTemporary(block, loop, place, assignment, 0, place);
        }
      }
    }
    return found == null ? Optional.empty() : found.withReads(extents, blocks, tensor);
  }

  private Optional<LocalTemporary> withReads(Extents extents, BlockIndex blocks, String tensor) {
    LoopBlock nest = blocks.get(block);
    Access target = assignment.target();
    BoundsProver prover = new BoundsProver(extents, nest.loops().subList(0, loop + 1));
    if (target.checked() && !prover.isInside(tensor, target.at())) {
      return Optional.empty();
    }
    int count = 0;
    int last = statement;
    ImmutableList<Statement> statements = nest.loops().get(loop).statements();
    for (int place = statement + 1; place < statements.size(); place++) {
      for (Reads.Read read : blocks.reads(statements.get(place))) {
        if (read.tensor().equals(tensor)) {
          if (read.isIndex() || !isSameIndex(extents, read.at())) {
            return Optional.empty();
          }
          count++;
          last = place;
        }
      }
    }
    return count > 0 && count == readsEverywhere(blocks, tensor)
        ? Optional.of(new LocalTemporary(block, loop, statement, assignment, count, last))
        : Optional.empty();
  }

  /**
   * Whether an index equals that of the assignment. An index that reads tensors never does, because
   * the tensors may have been written in between.
   */
  private boolean isSameIndex(Extents extents, ImmutableList<IndexExpression> at) {
    for (int axis = 0; axis < at.size(); axis++) {
      IndexExpression own = assignment.target().at().get(axis);
      if (Reads.mentionsElement(own) || !extents.areEqual(own, at.get(axis))) {
        return false;
      }
    }
    return true;
  }

  private static int readsEverywhere(BlockIndex blocks, String tensor) {
    int count = 0;
    for (int block : blocks.reading(tensor)) {
      for (Loop loop : blocks.get(block).loops()) {
        for (Reads.Read read : Reads.ofBounds(loop)) {
          count += read.tensor().equals(tensor) ? 1 : 0;
        }
        for (Statement statement : loop.statements()) {
          count += blocks.countReads(statement, tensor);
        }
      }
    }
    return count;
  }
}
