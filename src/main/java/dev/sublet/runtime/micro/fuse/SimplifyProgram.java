package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.Inputs;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.Optional;

/**
 * Simplifies programs: fewer blocks, fewer and smaller temporaries, bitwise equal results.
 *
 * <p>For example, a matrix product built from two broadcasts, a multiplication, a sum and a reshape
 * becomes one nest without temporaries:
 *
 * <pre>{@code
 * for i0, i1: carry = 0; for i2: carry += a[i0, i2] * b[i2, i1];  c[i0, i1] = carry
 * }</pre>
 *
 * <p>Rounds of passes are repeated until a round changes nothing. Each round removes a block or a
 * temporary, so their number limits the number of rounds; in practice there are two or three. A
 * round is O(blocks² + temporaries × size of the program).
 */
public final class SimplifyProgram {

  /** The passes that run once, in this order, before the rounds. */
  private static final ImmutableList<Pass> FIRST =
      ImmutableList.of(new UnifyExtents(), new RemoveUnitLoops(), new RemoveDeadBlocks());

  /**
   * The passes of a round. Inlining comes first because it needs unmerged blocks. Broadcasts are
   * inlined before constant axes are dropped, and constant axes are dropped before any value is
   * recomputed per element.
   */
  private static final ImmutableList<Pass> ROUND =
      ImmutableList.of(
          new InlineProducers(/* onlyFree= */ true),
          new RemoveDeadBlocks(),
          new DropConstantAxes(),
          new InlineProducers(/* onlyFree= */ false),
          new RemoveDeadBlocks(),
          new MergeBlocks(),
          new SubstituteTemporaries(),
          new RemoveDeadBlocks());

  /**
   * The passes that run once at the end. Extents are unified again because other inputs may be read
   * now.
   */
  private static final ImmutableList<Pass> LAST =
      ImmutableList.of(
          new ShrinkTemporaries(),
          new UnifyExtents(),
          new RemoveBoundsChecks(),
          new RenumberLoops());

  private SimplifyProgram() {}

  /** Simplifies a program. Inputs that are no longer read stay declared. */
  public static Simplified simplify(MicroProgram program) {
    return simplify(program, /* dropUnusedInputs= */ false);
  }

  /**
   * Simplifies a program.
   *
   * @param dropUnusedInputs whether to remove inputs whose elements and extents the result does not
   *     use, with the requirements on them
   */
  public static Simplified simplify(MicroProgram program, boolean dropUnusedInputs) {
    MicroProgram simple = applyAll(FIRST, program);
    MicroProgram before;
    do {
      before = simple;
      simple = applyAll(ROUND, simple);
    } while (measure(simple) < measure(before));
    ImmutableList<Refusal> refusals = MergeBlocks.merge(simple).refusals();
    simple = applyAll(LAST, simple);
    if (dropUnusedInputs) {
      simple = new DropUnusedInputs().apply(simple);
    }
    return new Simplified(
        simple,
        Inputs.read(simple),
        Inputs.measured(simple),
        NamedBlock.of(program).size(),
        NamedBlock.of(simple).size(),
        changed(program, simple, /* shrunk= */ false),
        changed(program, simple, /* shrunk= */ true),
        refusals);
  }

  /**
   * Returns a pass by its name, such as {@code merge-blocks}, for tests and tools that run a single
   * pass.
   */
  static Optional<Pass> pass(String name) {
    return switch (name) {
      case "unify-extents" -> Optional.of(new UnifyExtents());
      case "drop-single-loops" -> Optional.of(new RemoveUnitLoops());
      case "remove-dead-blocks" -> Optional.of(new RemoveDeadBlocks());
      case "inline-producers" -> Optional.of(new InlineProducers(/* onlyFree= */ false));
      case "drop-constant-axes" -> Optional.of(new DropConstantAxes());
      case "merge-blocks" -> Optional.of(new MergeBlocks());
      case "substitute-temporaries" -> Optional.of(new SubstituteTemporaries());
      case "shrink-temporaries" -> Optional.of(new ShrinkTemporaries());
      case "remove-bounds-checks" -> Optional.of(new RemoveBoundsChecks());
      case "drop-unused-inputs" -> Optional.of(new DropUnusedInputs());
      case "renumber-loops" -> Optional.of(new RenumberLoops());
      default -> Optional.empty();
    };
  }

  private static MicroProgram applyAll(ImmutableList<Pass> passes, MicroProgram program) {
    MicroProgram result = program;
    for (Pass pass : passes) {
      result = pass.apply(result);
    }
    return result;
  }

  /** Returns the measure that each round reduces: blocks, tensors and axes of tensors. */
  private static int measure(MicroProgram program) {
    int measure = NamedBlock.of(program).size();
    for (TensorDeclaration tensor : program.tensors()) {
      measure += 1 + tensor.rank();
    }
    return measure;
  }

  /** Returns the removed or shrunk temporaries, with their shapes over extents of inputs. */
  private static ImmutableList<TensorDeclaration> changed(
      MicroProgram before, MicroProgram after, boolean shrunk) {
    Extents extents = Extents.of(before);
    ImmutableList.Builder<TensorDeclaration> changed = ImmutableList.builder();
    for (TensorDeclaration tensor : before.tensors()) {
      Optional<TensorDeclaration> now =
          after.tensors().stream().filter(t -> t.name().equals(tensor.name())).findFirst();
      boolean isChanged =
          shrunk ? now.isPresent() && now.get().rank() != tensor.rank() : now.isEmpty();
      if (tensor.role() == Role.TEMPORARY && isChanged) {
        changed.add(
            new TensorDeclaration(
                tensor.name(),
                tensor.role(),
                tensor.type(),
                tensor.shape().stream()
                    .map(extents::overInputs)
                    .collect(ImmutableList.toImmutableList())));
      }
    }
    return changed.build();
  }
}
