package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.RenameTensors;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.fuse.fact.WholeWrite;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.List;

/**
 * Whether nests may compute an output in the memory of an input.
 *
 * <pre>
 * y[i0] = x[i0] + 1                   may
 * y[i0] = x[i0] + x[4 - i0]           may not: reads an element that may be written already
 * m = max of x; y[i0] = x[i0] - m     may: the first nest is done before the second one writes
 * </pre>
 *
 * <p>Sufficient condition: the tensors have one type and shape; one statement writes the output,
 * each element once; in its nest the input is read at the written element only, not after the
 * write; and no later nest reads the input. O(size).
 */
final class InPlaceProof {

  private InPlaceProof() {}

  /**
   * Returns whether an output of a program with known extents may be computed in the memory of an
   * input.
   */
  static boolean holds(MicroProgram program, String input, String output) {
    TensorDeclaration from = program.tensor(input);
    TensorDeclaration to = program.tensor(output);
    if (from.type() != to.type() || !from.shape().equals(to.shape())) {
      return false;
    }
    Extents extents = Extents.of(program);
    boolean isWritten = false;
    for (NamedBlock each : NamedBlock.of(program)) {
      boolean writes = isMentionedAsTarget(each.block(), output);
      if (writes && (isWritten || !isInPlace(each.block(), extents, input, output))) {
        return false;
      }
      if (isWritten && reads(each.block(), input)) {
        return false;
      }
      if (!writes && !isWritten && reads(each.block(), output)) {
        return false;
      }
      isWritten |= writes;
    }
    return isWritten;
  }

  private static boolean isInPlace(LoopBlock block, Extents extents, String input, String output) {
    int depth = -1;
    int position = -1;
    Statement.Assignment write = null;
    for (int d = 0; d < block.loops().size(); d++) {
      ImmutableList<Statement> statements = block.loops().get(d).statements();
      for (int i = 0; i < statements.size(); i++) {
        if (!isTarget(statements.get(i), output)) {
          continue;
        }
        if (write != null || !(statements.get(i) instanceof Statement.Assignment assignment)) {
          return false;
        }
        write = assignment;
        depth = d;
        position = i;
      }
    }
    return write != null
        && WholeWrite.of(extents, block, depth + 1, write).isPresent()
        && readsOnlyBefore(block, input, output, write.target(), depth, position);
  }

  /** Whether a nest reads the input only at the written element, and only before the write. */
  private static boolean readsOnlyBefore(
      LoopBlock block, String input, String output, Access target, int depth, int position) {
    for (int d = 0; d < block.loops().size(); d++) {
      Loop loop = block.loops().get(d);
      if (mentions(Reads.ofBounds(loop), input) || mentions(Reads.ofBounds(loop), output)) {
        return false;
      }
      for (int i = 0; i < loop.statements().size(); i++) {
        List<Reads.Read> reads = Reads.of(loop.statements().get(i));
        if (mentions(reads, output)) {
          return false;
        }
        boolean isBefore = d > depth || (d == depth && i <= position);
        for (Reads.Read read : reads) {
          boolean isRight = isBefore && !read.isIndex() && read.at().equals(target.at());
          if (read.tensor().equals(input) && !isRight) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static boolean mentions(List<Reads.Read> reads, String tensor) {
    return reads.stream().anyMatch(read -> read.tensor().equals(tensor));
  }

  private static boolean reads(LoopBlock block, String tensor) {
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

  private static boolean isMentionedAsTarget(LoopBlock block, String tensor) {
    for (Loop loop : block.loops()) {
      if (loop.statements().stream().anyMatch(statement -> isTarget(statement, tensor))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTarget(Statement statement, String tensor) {
    return (statement instanceof Statement.Assignment assignment
            && assignment.target().tensor().equals(tensor))
        || (statement instanceof Statement.Accumulation accumulation
            && accumulation.target().tensor().equals(tensor));
  }

  /**
   * Returns a program that reads the output where it read the input, so that no two of its tensors
   * have common memory. The program must satisfy {@link #holds}.
   */
  static MicroProgram united(MicroProgram program, String input, String output) {
    Rewriter rewriter = new RenameTensors(ImmutableMap.of(input, output));
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (!tensor.name().equals(input)) {
        tensors.add(tensor);
      }
    }
    ImmutableList.Builder<MicroFunction> functions = ImmutableList.builder();
    for (MicroFunction function : program.functions()) {
      ImmutableList.Builder<LoopBlock> blocks = ImmutableList.builder();
      function.blocks().forEach(block -> blocks.add(rewriter.block(block)));
      functions.add(new MicroFunction(function.name(), blocks.build()));
    }
    return new MicroProgram(
        program.name(),
        program.parameters(),
        tensors.build(),
        program.requirements(),
        functions.build());
  }
}
