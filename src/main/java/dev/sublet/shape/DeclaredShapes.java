package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The shapes that a program declares for its variables, with the rules for when inference trusts
 * them.
 *
 * <pre>
 *   declared [8, 64], inferred [8, ?]      the declaration fills the open extent: [8, 64]
 *   declared [8, 64], inferred [4, 64]     a contradiction; inference goes on with [4, 64]
 * </pre>
 *
 * <p>A declaration is less reliable than a shape rule. Exporters write the shapes of one pass over
 * the program, and a name with several writers has the declaration of one of them. Only the binding
 * shapes of a program, which its format promises for every run, hold for all passes and all
 * writers, until an operator is found to break one. If a given shape of a feed differs from its
 * declaration, no declaration is trusted.
 */
final class DeclaredShapes {

  private final Program program;
  private final FeedShapes feeds;
  private final boolean areTrusted;

  /** By variable: the number of operators that write it. */
  private final int[] writers;

  /** Whether every shape found so far is within its promised shape, see {@link #isPromised}. */
  private boolean promisesAreKept = true;

  DeclaredShapes(Program program, FeedShapes feeds) {
    this.program = program;
    this.feeds = feeds;
    this.areTrusted = feeds.agreeWithDeclarations();
    this.writers = new int[program.variableCount()];
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.outputCount(); i++) {
          if (operation.output(i) != Program.NO_VARIABLE) {
            writers[operation.output(i)]++;
          }
        }
      }
    }
  }

  /**
   * Whether no operator has broken a promised shape so far. Never becomes true again after it was
   * false.
   */
  boolean promisesAreKept() {
    return promisesAreKept;
  }

  /**
   * Fills extents that a rule leaves open with declared extents. O(extents).
   *
   * <p>A declaration is true for one pass over the program. So extents that change between
   * iterations or branches stay open, and so do single extents of a name with several writers,
   * because its declaration describes only one of them. A promised shape is true for all passes and
   * all writers.
   */
  AbstractShape refine(int variable, AbstractShape tensor) {
    Optional<TensorType> type = program.variable(variable).tensorType();
    if (!areTrusted || type.isEmpty() || tensor.isNeverMade()) {
      return tensor;
    }
    ImmutableLongArray declared = type.get().dims();
    boolean promised = isPromised(variable, declared, tensor);
    if (!tensor.hasRank()) {
      List<SymbolicExtent> extents = extents(variable, declared);
      return extents.isEmpty() || (tensor.varies() && !promised)
          ? tensor
          : AbstractShape.of(extents).withLod(null);
    }
    if (isKnown(tensor)
        || tensor.rank() != declared.length()
        || (writers[variable] != 1 && !promised)) {
      return tensor;
    }
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    for (int i = 0; i < declared.length(); i++) {
      SymbolicExtent extent = tensor.dim(i);
      SymbolicExtent told = feeds.declaredExtent(variable, i, declared.get(i));
      boolean isOpen = !extent.isKnown() && (!extent.varies() || promised);
      dims.add(isOpen && told != null ? told : extent);
    }
    AbstractShape filled = tensor.withDims(dims.build());
    return tensor.hasElements() ? filled.withElements(tensor.elements()) : filled;
  }

  private static boolean isKnown(AbstractShape tensor) {
    for (int i = 0; i < tensor.rank(); i++) {
      if (!tensor.dim(i).isKnown()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the declared shape is a promise, and all promises have been kept so far. An exact
   * extent above its promise breaks it; from then on, no declaration is trusted as a promise,
   * because exporters do promise shapes that are true only in the first iteration.
   */
  private boolean isPromised(int variable, ImmutableLongArray declared, AbstractShape tensor) {
    if (!program.variable(variable).hasBindingShape()) {
      return false;
    }
    if (tensor.hasRank()) {
      promisesAreKept &= tensor.rank() == declared.length();
      for (int i = 0; promisesAreKept && i < declared.length(); i++) {
        SymbolicExtent told = feeds.declaredExtent(variable, i, declared.get(i));
        SymbolicExtent extent = tensor.dim(i);
        promisesAreKept = told == null || !extent.isExact() || extent.value() <= told.value();
      }
    }
    return promisesAreKept;
  }

  /** All declared extents; empty if there are none, or if an extent is open. */
  private List<SymbolicExtent> extents(int variable, ImmutableLongArray declared) {
    List<SymbolicExtent> extents = new ArrayList<>();
    for (int i = 0; i < declared.length(); i++) {
      SymbolicExtent extent = feeds.declaredExtent(variable, i, declared.get(i));
      if (extent == null) {
        return List.of();
      }
      extents.add(extent);
    }
    return extents;
  }

  /**
   * Whether a variable gets room for its declared shape, even if a rule gives it a smaller shape.
   * This holds if no extent is open, only one operator writes the variable, and the user has given
   * no batch, shapes or sequences. It does not hold in inner blocks, where exporters declare the
   * shapes of one pass through a loop.
   */
  boolean hasRoom(Variable variable) {
    ImmutableLongArray declared = dims(variable);
    return feeds.areDefault()
        && !declared.isEmpty()
        && !declared.contains(-1)
        && writers[variable.index()] == 1
        && variable.block() == 0;
  }

  /**
   * Returns the contradictions between declared shapes and shapes that rules give in every run.
   * O(arguments).
   *
   * <p>Ignores
   *
   * <ul>
   *   <li>variables with several writers, because the declaration describes only one of them;
   *   <li>inner blocks, where exporters declare the shapes of one pass;
   *   <li>all variables, if a given shape of a feed differs from its declaration;
   *   <li>results without elements, because operators leave some outputs unwritten.
   * </ul>
   *
   * @param definitions the shapes that the operators give their outputs
   */
  ImmutableList<Contradiction> contradictions(Definitions definitions) {
    ImmutableList.Builder<Contradiction> found = ImmutableList.builder();
    if (!areTrusted) {
      return found.build();
    }
    for (Operation operation : program.block(0).operations()) {
      for (int i = 0; i < operation.outputCount(); i++) {
        int variable = operation.output(i);
        AbstractShape made = definitions.get(definitions.number(operation, i));
        if (variable != Program.NO_VARIABLE && writers[variable] == 1 && made != null) {
          contradiction(operation, program.variable(variable), made).ifPresent(found::add);
        }
      }
    }
    return found.build();
  }

  private static Optional<Contradiction> contradiction(
      Operation operation, Variable variable, AbstractShape tensor) {
    ImmutableLongArray declared = dims(variable);
    if (declared.isEmpty() || !tensor.hasRank() || tensor.count().is(0)) {
      return Optional.empty();
    }
    ImmutableLongArray.Builder extents = ImmutableLongArray.builder(tensor.rank());
    for (SymbolicExtent extent : tensor.dims()) {
      if (!extent.isConstant()) {
        return Optional.empty();
      }
      extents.add((long) extent.value());
    }
    ImmutableLongArray made = extents.build();
    return Contradiction.isOne(declared, made)
        ? Optional.of(new Contradiction(operation, variable, declared, made))
        : Optional.empty();
  }

  private static ImmutableLongArray dims(Variable variable) {
    return variable.tensorType().map(TensorType::dims).orElse(ImmutableLongArray.of());
  }
}
