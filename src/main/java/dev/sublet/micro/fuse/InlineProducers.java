package dev.sublet.micro.fuse;

import dev.sublet.micro.ir.Access;
import dev.sublet.micro.ir.Expression;
import dev.sublet.micro.ir.IndexExpression;
import dev.sublet.micro.ir.IndexExpression.AxisSize;
import dev.sublet.micro.ir.IndexExpression.Element;
import dev.sublet.micro.ir.Loop;
import dev.sublet.micro.ir.LoopBlock;
import dev.sublet.micro.ir.MicroProgram;
import dev.sublet.micro.ir.Statement;
import dev.sublet.micro.ir.TensorDeclaration;
import dev.sublet.micro.ir.TensorDeclaration.Role;
import dev.sublet.tensor.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces elements of temporaries by what was assigned to them, in other blocks too and at any
 * index: with {@code t[i0, i1] = x[i0]} the load {@code t[i2, 0]} becomes {@code x[i2]}. So the
 * large intermediates that broadcasts and reindexing make are never there. The dead stores are left
 * to {@link RemoveDeadBlocks}.
 *
 * <p>It must run before {@link MergeBlocks}, which is more often of use then. A temporary goes if
 *
 * <ol>
 *   <li>one assignment writes it, to every element once ({@link WholeWrite}), of a value that reads
 *       no carried variable and not the temporary itself;
 *   <li>all that read it are in later blocks;
 *   <li>no tensor that the value reads is written from that block up to the last reader;
 *   <li>each read is proved to be inside, or has the same value outside (see below);
 *   <li>what reads it as an index can have the value as an index;
 *   <li>the value is free to compute ({@link Effort}), or each reading statement runs at most once
 *       for each element, and the additional work is small.
 * </ol>
 *
 * <p>A read that may be outside is replaced only if the value is a load of a tensor that is outside
 * then too, because it has an axis of the same extent with the same index, and that load is never
 * outside otherwise or gives the same there. O(temporaries × size of the program).
 */
final class InlineProducers implements Pass {

  /** One assignment to a temporary and where it is. */
  private record Producer(
      int block, LoopBlock nest, int depth, Statement.Assignment assignment, WholeWrite whole) {

    Expression value() {
      return assignment.value();
    }
  }

  /** A read and the loops around it. */
  private record Use(int block, Reads.Read read, List<Loop> loops) {}

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    List<NamedBlock> blocks = NamedBlock.of(program);
    boolean changed = false;
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.TEMPORARY) {
        changed |= new Inlining(extents, blocks, tensor.name()).run();
      }
    }
    return changed ? NamedBlock.replace(program, blocks) : program;
  }

  /** The work on one temporary; replaces blocks of the list. */
  private static final class Inlining {

    private final Extents extents;
    private final List<NamedBlock> blocks;
    private final String tensor;

    /** The reads that may be outside. */
    private final Set<Reads.Read> outside = new LinkedHashSet<>();

    Inlining(Extents extents, List<NamedBlock> blocks, String tensor) {
      this.extents = extents;
      this.blocks = blocks;
      this.tensor = tensor;
    }

    boolean run() {
      Optional<Producer> found = producer();
      if (found.isEmpty()) {
        return false;
      }
      Producer producer = found.get();
      List<Use> uses = uses();
      if (uses.isEmpty() || !arePossible(producer, uses) || !isWorthwhile(producer, uses)) {
        return false;
      }
      for (int block = producer.block() + 1; block < blocks.size(); block++) {
        NamedBlock old = blocks.get(block);
        blocks.set(block, new NamedBlock(old.function(), inlined(producer, old.block())));
      }
      return true;
    }

    /** The only statement that writes the tensor, if it is fit to be copied. */
    private Optional<Producer> producer() {
      Producer found = null;
      for (int number = 0; number < blocks.size(); number++) {
        LoopBlock block = blocks.get(number).block();
        for (int depth = 1; depth <= block.loops().size(); depth++) {
          for (Statement statement : block.loops().get(depth - 1).statements()) {
            if (Site.target(statement).map(Access::tensor).filter(tensor::equals).isEmpty()) {
              continue;
            }
            if (found != null || !(statement instanceof Statement.Assignment assignment)) {
              return Optional.empty();
            }
            Optional<WholeWrite> whole = WholeWrite.of(extents, block, depth, assignment);
            if (whole.isEmpty() || !Reads.carriedIn(assignment.value()).isEmpty()) {
              return Optional.empty();
            }
            found = new Producer(number, block, depth, assignment, whole.get());
          }
        }
      }
      return Optional.ofNullable(found);
    }

    private List<Use> uses() {
      List<Use> uses = new ArrayList<>();
      for (int number = 0; number < blocks.size(); number++) {
        List<Loop> loops = blocks.get(number).block().loops();
        for (int depth = 1; depth <= loops.size(); depth++) {
          List<Loop> around = loops.subList(0, depth);
          for (Reads.Read read : Reads.ofBounds(loops.get(depth - 1))) {
            add(uses, new Use(number, read, loops.subList(0, depth - 1)));
          }
          for (Statement statement : loops.get(depth - 1).statements()) {
            for (Reads.Read read : Reads.of(statement)) {
              add(uses, new Use(number, read, around));
            }
          }
        }
      }
      return uses;
    }

    private void add(List<Use> uses, Use use) {
      if (use.read().tensor().equals(tensor)) {
        uses.add(use);
      }
    }

    private boolean arePossible(Producer producer, List<Use> uses) {
      int last = uses.get(uses.size() - 1).block();
      for (Use use : uses) {
        if (use.block() <= producer.block() || !isPossible(producer, use)) {
          return false;
        }
      }
      Set<String> sources = new LinkedHashSet<>();
      Reads.of(producer.value()).forEach(read -> sources.add(read.tensor()));
      for (int block = producer.block(); block <= last; block++) {
        for (String written : BlockUse.of(blocks.get(block).block()).writes()) {
          if (sources.contains(written)) {
            return false;
          }
        }
      }
      return true;
    }

    private boolean isPossible(Producer producer, Use use) {
      boolean readsItselfInside =
          use.read().at().stream()
              .flatMap(index -> Reads.of(new Expression.IndexValue(index)).stream())
              .anyMatch(read -> read.tensor().equals(tensor));
      if (readsItselfInside || (use.read().isIndex() && asIndex(producer).isEmpty())) {
        return false;
      }
      if (!use.read().checked()) {
        return true;
      }
      BoundsProver prover = new BoundsProver(extents, use.loops());
      Set<Integer> open = new LinkedHashSet<>();
      for (int axis = 0; axis < use.read().at().size(); axis++) {
        if (!prover.isInside(tensor, axis, use.read().at().get(axis))) {
          open.add(axis);
        }
      }
      if (open.isEmpty()) {
        return true;
      }
      outside.add(use.read());
      return isOutsideToo(producer, use.read(), open);
    }

    /** Whether the value is a load that is outside along each of the axes when the read is. */
    private boolean isOutsideToo(Producer producer, Reads.Read read, Set<Integer> axes) {
      if (!(producer.value() instanceof Expression.Load load)) {
        return false;
      }
      Set<Integer> seen = new LinkedHashSet<>();
      for (int axis = 0; axis < load.access().at().size(); axis++) {
        IndexExpression index = extents.canonical(load.access().at().get(axis)).toExpression();
        if (index instanceof IndexExpression.LoopIndex loop) {
          Integer own = producer.whole().axes().get(loop.id());
          AxisSize extent = new AxisSize(load.access().tensor(), axis);
          if (own != null && extents.areEqual(extent, new AxisSize(tensor, own))) {
            seen.add(own);
          }
        }
      }
      return seen.containsAll(axes) && isOutside(producer, load, read.outside());
    }

    /** Whether a load in the value is never outside, or is a certain number there. */
    private boolean isOutside(Producer producer, Expression.Load load, double outside) {
      return !load.access().checked()
          || Double.compare(load.outside(), outside) == 0
          || new BoundsProver(extents, producer.nest().loops().subList(0, producer.depth()))
              .isInside(load.access().tensor(), load.access().at());
    }

    /** The value as an index, if it is something that indices can be. Elements are 0 outside. */
    private Optional<IndexExpression> asIndex(Producer producer) {
      Expression value = producer.value();
      if (value instanceof Expression.IndexValue index) {
        return Optional.of(index.index());
      }
      if (value instanceof Expression.IntegerLiteral literal) {
        return Optional.of(new IndexExpression.Constant(literal.value()));
      }
      if (value instanceof Expression.ScalarParameter parameter) {
        return Optional.of(new IndexExpression.Parameter(parameter.name()));
      }
      // Indices are 64 bits wide: an integer that was made wider is the integer itself.
      Expression source =
          value instanceof Expression.Cast cast && cast.type() == ElementType.INT64
              ? cast.operand()
              : value;
      if (source instanceof Expression.Load load
          && isInteger(extents.tensor(load.access().tensor()).type())
          && isOutside(producer, load, 0)) {
        return Optional.of(new Element(load.access().tensor(), load.access().at()));
      }
      return Optional.empty();
    }

    private static boolean isInteger(ElementType type) {
      return type == ElementType.INT32 || type == ElementType.INT64;
    }

    private boolean isWorthwhile(Producer producer, List<Use> uses) {
      if (Effort.parts(producer.value()) > Effort.MAX_PARTS) {
        return false;
      }
      int effort = Effort.of(producer.value());
      if (effort == 0) {
        return true;
      }
      for (Use use : uses) {
        Site site = new Site(tensor, use.read().at(), false, use.loops().size());
        if (SameElement.agreed(extents, site, site, use.loops()).size() < use.loops().size()) {
          return false;
        }
      }
      return (long) effort * (uses.size() - 1) <= Effort.LIMIT;
    }

    private LoopBlock inlined(Producer producer, LoopBlock block) {
      return new Rewriter() {
        @Override
        Expression load(Expression.Load load) {
          if (!load.access().tensor().equals(tensor)) {
            return load;
          }
          Expression value = producer.whole().at(load.access().at()).expression(producer.value());
          return outside.contains(Reads.Read.of(load))
              // Whoever is outside here is outside there, and has the value of here.
              ? new Expression.Load(
                  Access.of(
                      ((Expression.Load) value).access().tensor(),
                      ((Expression.Load) value).access().at()),
                  load.outside())
              : value;
        }

        @Override
        IndexExpression element(Element element) {
          return element.tensor().equals(tensor)
              ? producer.whole().at(element.at()).index(asIndex(producer).orElseThrow())
              : element;
        }
      }.block(block);
    }
  }
}
