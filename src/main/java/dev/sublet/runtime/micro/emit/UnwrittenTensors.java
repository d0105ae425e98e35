package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.WholeWrite;
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
 * for i0, i1: y[i0, i1] = …          written whole
 * for i0, i1: y[i0] += x[i0, i1]     begins with 0
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
      if (isRead(each.block(), tensor)) {
        return false;
      }
      if (isTarget(each.block(), tensor)) {
        return isWrittenWhole(each.block(), extents, tensor);
      }
    }
    return false;
  }

  private static boolean isWrittenWhole(LoopBlock block, Extents extents, String tensor) {
    for (int depth = 0; depth < block.loops().size(); depth++) {
      for (Statement statement : block.loops().get(depth).statements()) {
        if (statement instanceof Statement.Assignment assignment
            && assignment.target().tensor().equals(tensor)
            && WholeWrite.of(extents, block, depth + 1, assignment).isPresent()) {
          return true;
        }
      }
    }
    return false;
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
      for (Reads.Read read : Reads.ofBounds(loop)) {
        if (read.tensor().equals(tensor)) {
          return true;
        }
      }
      for (Statement statement : loop.statements()) {
        for (Reads.Read read : Reads.of(statement)) {
          if (read.tensor().equals(tensor)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
