package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.Location;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.LoopExits;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import dev.sublet.verify.rewrite.UnrolledLoop.Role;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * Unrolls an original like a rewritten program whose loops are unrolled, so that the two can be
 * compared operator by operator.
 *
 * <p>Only one change is made to the original, whatever names the rewritten program uses: a loop
 * gets as many copies of its body B as the rewritten program has.
 *
 * <pre>
 *   while(c){B}   becomes   while(c){B; conditional_block(c){B; …}}
 * </pre>
 *
 * <p>Three kinds of locals of B are declared anew in each copy: those that each iteration
 * overwrites first; those that only one branch writes and only a select between this branch and its
 * opposite reads; and arrays, which are empty when an iteration begins. The copies share all other
 * locals.
 *
 * <p>Where the rewritten program counts its copies, the result has the same operators with
 * variables of their own; the bodies of its fix-ups are empty here. The lists of inputs, outputs
 * and scopes of the operators concerned are left out in both programs, because no forward operator
 * reads them.
 *
 * <p>Finally every argument is resolved again and must be the intended variable. Refused are loops
 * with saved scopes, bodies with blocks of unknown operators, and locals that carry LoD from one
 * iteration to the next, because a runtime clears it. O(size of the result).
 */
final class OriginalUnroller {

  private static final ImmutableList<String> LOOP_LISTS =
      ImmutableList.of("X", "Out", "StepScopes");
  private static final ImmutableList<String> BRANCH_LISTS =
      ImmutableList.of("Input", "Out", "Scope");
  private static final ImmutableList<String> SCOPES = ImmutableList.of("StepScopes", "Scope");

  private final Program original;
  private final Program rewritten;
  private final OperatorCatalog catalog;
  private final Violations violations;
  private final Map<Position, UnrolledLoop> loops;
  private final Map<Position, Role> bookkeeping = new HashMap<>();
  private final ProgramBuilder result;
  private final ProgramBuilder trimmed;
  private final BodyLocals locals;
  private final BitSet visited = new BitSet();

  /**
   * The blocks of the original that several operators run. Such operators are copied as a whole.
   */
  private final BitSet runTwice = new BitSet();

  private final CopiedOperators written;
  private final Map<Position, UnrolledLoop> unrolled = new HashMap<>();
  private final CopyCounters counters;
  private boolean isFailed;

  OriginalUnroller(
      Program original,
      Program rewritten,
      OperatorCatalog catalog,
      Sizes sizes,
      ProofOptions options,
      Violations violations) {
    this.original = original;
    this.rewritten = rewritten;
    this.catalog = catalog;
    this.violations = violations;
    this.written = new CopiedOperators(original);
    this.loops = UnrolledLoops.find(rewritten, catalog);
    this.result = ProgramBuilder.like(original);
    this.trimmed = ProgramBuilder.copyOf(rewritten);
    this.counters = new CopyCounters(original, rewritten, result);
    this.locals = new BodyLocals(original, catalog, sizes, options);
    for (UnrolledLoop loop : loops.values()) {
      bookkeeping.putAll(loop.bookkeeping());
    }
    findBlocksRunTwice();
  }

  private void findBlocksRunTwice() {
    BitSet run = new BitSet();
    for (Block block : original.blocks()) {
      for (Operation operation : block.operations()) {
        for (int body : operation.blocks()) {
          if (run.get(body)) {
            runTwice.set(body);
          }
          run.set(body);
        }
      }
    }
  }

  /** Builds both programs; empty, with violations, if they do not correspond. */
  Optional<UnrolledPair> run() {
    for (Block block : rewritten.blocks()) {
      result.addBlock(block);
    }
    CopyScope root = new CopyScope(null, /* isUnrolled= */ false);
    declareAll(original.block(0), 0, root);
    visited.set(0);
    build(0, 0, rewritten.block(0).operations().size(), root);
    copyUnreached(root);
    if (isFailed) {
      return Optional.empty();
    }
    declareTwins();
    Program copy = result.build();
    isFailed |= !written.check(copy, violations);
    return isFailed
        ? Optional.empty()
        : Optional.of(
            new UnrolledPair(copy, trimmed.build(), observed(), ImmutableMap.copyOf(unrolled)));
  }

  private ImmutableSet<String> observed() {
    ImmutableSet.Builder<String> observed = ImmutableSet.builder();
    for (Variable variable : original.block(0).variables()) {
      if (locals.isObserved(variable)) {
        observed.add(variable.name());
      }
    }
    return observed.build();
  }

  private void object(Location place, String message) {
    if (!isFailed) {
      violations.add(place, message);
    }
    isFailed = true;
  }

  private void declareAll(Block source, int target, CopyScope scope) {
    for (Variable variable : source.variables()) {
      result.declare(target, variable);
      scope.put(variable, target);
    }
  }

  private boolean isSilent(Program program, Operation operation) {
    return OperatorAlignment.isDeletion(operation)
        || OperatorAlignment.isCopy(program, operation, catalog);
  }

  /**
   * Writes the operators of a block and of the blocks that they run, along the rewritten program.
   */
  private void build(int source, int target, int end, CopyScope scope) {
    ImmutableList<Operation> others = rewritten.block(target).operations().subList(0, end);
    int next = 0;
    for (Operation operation : original.block(source).operations()) {
      if (isFailed) {
        return;
      }
      if (isSilent(original, operation)) {
        write(target, operation, IntUnaryOperator.identity(), ImmutableMap.of(), scope);
        continue;
      }
      next = skip(others, next, target, /* silent= */ true);
      if (next == others.size() || !others.get(next).type().equals(operation.type())) {
        object(
            operation.location(),
            next == others.size()
                ? "the rewritten program lacks the operator in block " + target
                : "the rewritten program has an operator of type "
                    + others.get(next).type()
                    + " here in block "
                    + target);
        return;
      }
      buildPair(operation, others.get(next++), target, scope);
      next = skip(others, next, target, /* silent= */ false);
    }
    next = skip(others, next, target, /* silent= */ true);
    if (next < others.size()) {
      object(
          others.get(next).location(),
          "the rewritten program has an operator that the original lacks");
    }
  }

  /** Skips operators that only the rewritten program has, and writes those that count. */
  private int skip(List<Operation> others, int first, int target, boolean silent) {
    int next = first;
    while (next < others.size()) {
      Operation other = others.get(next);
      Role role = bookkeeping.get(Position.of(other));
      if (role != null) {
        writeBookkeeping(other, role, target);
      } else if (!silent || !isSilent(rewritten, other)) {
        break;
      }
      next++;
    }
    return next;
  }

  private void buildPair(Operation operation, Operation other, int target, CopyScope scope) {
    ControlKind kind = catalog.lookup(operation.type()).control();
    ImmutableList<Integer> blocks = operation.blocks();
    if (blocks.isEmpty()) {
      write(target, operation, IntUnaryOperator.identity(), ImmutableMap.of(), scope);
      return;
    }
    boolean isForward = kind == ControlKind.WHILE || kind == ControlKind.CONDITIONAL;
    if (!isForward || blocks.size() != 1 || runTwice.get(blocks.get(0))) {
      if (scope.isUnrolled()) {
        object(operation.location(), "its blocks are in a loop that is unrolled");
        return;
      }
      if (!other.blocks().equals(blocks)) {
        object(operation.location(), "the blocks that the operator runs were changed");
        return;
      }
      write(target, operation, IntUnaryOperator.identity(), ImmutableMap.of(), scope);
      return;
    }
    if (other.blocks().size() != 1) {
      object(operation.location(), "the blocks that the operator runs were changed");
      return;
    }
    UnrolledLoop loop = loops.get(Position.of(other));
    if (loop != null && UnrolledLoops.entries(original, catalog, operation).isEmpty()) {
      unroll(operation, other, loop, target, scope);
      return;
    }
    CopyScope inner = new CopyScope(scope, scope.isUnrolled());
    trim(operation, other, scope.isUnrolled() ? SCOPES : ImmutableList.of(), target, scope);
    if (enter(operation, blocks.get(0), other.blocks().get(0), scope.isUnrolled())) {
      declareAll(original.block(blocks.get(0)), other.blocks().get(0), inner);
      int body = other.blocks().get(0);
      build(blocks.get(0), body, rewritten.block(body).operations().size(), inner);
    }
  }

  /**
   * Writes an operator without the arguments of some slots, and removes these from its counterpart
   * too.
   */
  private void trim(
      Operation operation,
      Operation other,
      ImmutableList<String> lists,
      int target,
      CopyScope scope) {
    ImmutableMap<String, ImmutableList<String>> empty = emptied(lists);
    int from = operation.blocks().get(0);
    int to = other.blocks().get(0);
    write(target, operation, block -> block == from ? to : block, empty, scope);
    trimmed.replaceArguments(other.block(), other.index(), empty);
  }

  private static ImmutableMap<String, ImmutableList<String>> emptied(ImmutableList<String> lists) {
    ImmutableMap.Builder<String, ImmutableList<String>> empty = ImmutableMap.builder();
    lists.forEach(list -> empty.put(list, ImmutableList.of()));
    return empty.buildOrThrow();
  }

  /**
   * Records that a block of the rewritten program corresponds to one of the original; false, with a
   * violation, if it cannot.
   */
  private boolean enter(Operation operation, int source, int target, boolean isCopy) {
    boolean isOwn = source == target;
    boolean isNew = target >= original.blocks().size();
    if (visited.get(target) || !(isOwn || (isCopy && isNew))) {
      object(operation.location(), "the blocks that the operator runs were changed");
      return false;
    }
    for (Variable variable : original.block(source).variables()) {
      if (isCopy && !isOwn && variable.isPersistable()) {
        object(operation.location(), "the block declares a persistable, so it cannot be repeated");
        return false;
      }
    }
    visited.set(target);
    return true;
  }

  private void unroll(
      Operation operation, Operation other, UnrolledLoop loop, int target, CopyScope scope) {
    int source = operation.blocks().get(0);
    unrolled.put(Position.of(other), loop);
    trim(operation, other, LOOP_LISTS, target, scope);
    CopyScope first = new CopyScope(scope, /* isUnrolled= */ true);
    for (int copy = 0; copy < loop.copies() && !isFailed; copy++) {
      int body = loop.body(copy);
      boolean isLast = copy == loop.copies() - 1;
      // The first copy has the original's block index; within copies all blocks may be new.
      if (!enter(operation, source, body, copy > 0 || scope.isUnrolled())) {
        return;
      }
      CopyScope inner = copy == 0 ? first : new CopyScope(first, /* isUnrolled= */ true);
      if (copy == 0) {
        declareAll(original.block(source), body, first);
      } else {
        declareFresh(operation, source, body, inner);
      }
      int size = rewritten.block(body).operations().size();
      build(source, body, isLast ? size : size - 1, inner);
      if (!isLast) {
        writeEntry(loop.entries().get(copy), operation, scope);
      }
    }
  }

  /**
   * Declares the variables that each iteration starts without an old value; the copies share the
   * others with the first copy.
   */
  private void declareFresh(Operation loop, int source, int target, CopyScope scope) {
    for (Variable variable : original.block(source).variables()) {
      if (locals.beginsAnew(variable)) {
        result.declare(target, variable);
        scope.put(variable, target);
      } else if (locals.carriesLod(variable)) {
        object(
            loop.location().at(Violations.display(variable)),
            "carries LoD, which ends with the iteration, so the loop cannot be unrolled");
      }
    }
  }

  private void write(
      int block,
      Operation operation,
      IntUnaryOperator blocks,
      ImmutableMap<String, ImmutableList<String>> arguments,
      CopyScope scope) {
    written.add(block, result.operationCount(block), operation, scope);
    result.add(
        block, OperationBuilder.copyOf(operation).withArguments(arguments).withBlocks(blocks));
  }

  private void writeEntry(Operation entry, Operation loop, CopyScope scope) {
    ImmutableMap<String, ImmutableList<String>> empty = emptied(BRANCH_LISTS);
    Variable condition = original.variable(LoopExits.condition(loop));
    trimmed.replaceArguments(entry.block(), entry.index(), empty);
    written.add(entry.block(), result.operationCount(entry.block()), loop, scope);
    result.add(
        entry.block(),
        OperationBuilder.copyOf(entry)
            .withArguments(empty)
            .withArguments(ImmutableMap.of("Cond", ImmutableList.of(condition.name()))));
  }

  /** Writes an operator that counts copies, with variables that only the counting uses. */
  private void writeBookkeeping(Operation other, Role role, int target) {
    OperationBuilder copy = OperationBuilder.copyOf(other);
    if (role == Role.FIXUP) {
      visited.set(other.blocks().get(0));
      trimmed.replaceArguments(other.block(), other.index(), emptied(BRANCH_LISTS));
      copy.withArguments(emptied(BRANCH_LISTS));
    }
    result.add(target, copy.withArguments(counters.arguments(other, role)));
  }

  /** Copies blocks that no operator is known to run. */
  private void copyUnreached(CopyScope root) {
    for (Block block : rewritten.blocks()) {
      int index = block.index();
      boolean isOwn = index < original.blocks().size();
      boolean sameFrame =
          isOwn
              && original.block(index).parent() == block.parent()
              && original.block(index).forward() == block.forward();
      if (isOwn && !sameFrame) {
        object(Location.block(index), "the parent or forward block was changed");
      } else if (!isOwn && (!visited.get(index) || block.forward() != Block.NONE)) {
        object(Location.block(index), "the original lacks the block");
      } else if (!visited.get(index)) {
        CopyScope scope = new CopyScope(root, /* isUnrolled= */ false);
        declareAll(original.block(index), index, scope);
        for (Operation operation : original.block(index).operations()) {
          write(index, operation, IntUnaryOperator.identity(), ImmutableMap.of(), scope);
        }
      }
    }
  }

  /** Declares the variables that only the rewritten program has; nothing uses them here. */
  private void declareTwins() {
    for (Block block : rewritten.blocks()) {
      ImmutableSet<String> declared = result.names(block.index());
      for (Variable variable : block.variables()) {
        if (!declared.contains(variable.name())) {
          declareTwin(variable);
        }
      }
    }
  }

  private void declareTwin(Variable variable) {
    if (variable.name().contains("@GRAD")) {
      object(
          Location.variable(variable.block(), Violations.display(variable)),
          "has a name that a runtime may derive, and the original does not declare it");
    }
    result.declare(variable.block(), variable.name(), variable);
  }
}
