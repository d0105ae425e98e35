package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.WholeWrite;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;

/**
 * Finds the tensors whose elements must be 0 before the first nest: outputs and temporaries of
 * which it is not proved that the first nest that uses them assigns every element.
 *
 * <pre>
 * for i0, i1: y[i0, i1] = …                     written whole
 * for i0, i1: y[i0, i1] = …; c &lt;&lt; y[i0, i1]     written whole, then read
 * for i0, i1: y[i0] += x[i0, i1]                begins with 0
 * </pre>
 */
final class UnwrittenTensors {

  private UnwrittenTensors() {}

  /** Returns the tensors in the order of their declarations. O(tensors × size). */
  static ImmutableList<TensorDeclaration> of(MicroProgram program) {
    Extents extents = Extents.of(program);
    ImmutableList.Builder<TensorDeclaration> unwritten = ImmutableList.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() != Role.INPUT && !isWritten(program, extents, tensor.name())) {
        unwritten.add(tensor);
      }
    }
    return unwritten.build();
  }

  private static boolean isWritten(MicroProgram program, Extents extents, String tensor) {
    for (NamedBlock each : NamedBlock.of(program)) {
      if (isTarget(each.block(), tensor)) {
        return isWrittenWhole(each.block(), extents, tensor);
      }
      if (isRead(each.block(), tensor)) {
        return false;
      }
    }
    return false;
  }

  /** Whether a block assigns every element before it reads it. */
  private static boolean isWrittenWhole(LoopBlock block, Extents extents, String tensor) {
    for (int depth = 0; depth < block.loops().size(); depth++) {
      ImmutableList<Statement> statements = block.loops().get(depth).statements();
      for (int i = 0; i < statements.size(); i++) {
        if (statements.get(i) instanceof Statement.Assignment assignment
            && assignment.target().tensor().equals(tensor)
            && WholeWrite.of(extents, block, depth + 1, assignment).isPresent()) {
          return readsOnlyAfter(block, depth, i, assignment.target());
        }
      }
    }
    return false;
  }

  /**
   * Whether all reads of a tensor are of the element that a statement assigns, by later statements
   * of the same loop.
   */
  private static boolean readsOnlyAfter(LoopBlock block, int depth, int position, Access target) {
    for (int d = 0; d < block.loops().size(); d++) {
      Loop loop = block.loops().get(d);
      if (mentions(Reads.ofBounds(loop), target.tensor())) {
        return false;
      }
      for (int i = 0; i < loop.statements().size(); i++) {
        boolean isAfter = d == depth && i > position;
        for (Reads.Read read : Reads.of(loop.statements().get(i))) {
          boolean isRight = isAfter && read.at().equals(target.at());
          if (read.tensor().equals(target.tensor()) && !isRight) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static boolean isTarget(LoopBlock block, String tensor) {
    for (Loop loop : block.loops()) {
      for (Statement statement : loop.statements()) {
        if ((statement instanceof Statement.Assignment assignment
                && assignment.target().tensor().equals(tensor))
            || (statement instanceof Statement.Accumulation accumulation
                && accumulation.target().tensor().equals(tensor))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isRead(LoopBlock block, String tensor) {
    for (Loop loop : block.loops()) {
      if (mentions(Reads.ofBounds(loop), tensor)) {
        return true;
      }
      for (Statement statement : loop.statements()) {
        if (mentions(Reads.of(statement), tensor)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean mentions(Iterable<Reads.Read> reads, String tensor) {
    for (Reads.Read read : reads) {
      if (read.tensor().equals(tensor)) {
        return true;
      }
    }
    return false;
  }
}
