package dev.sublet.verify;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.Place;
import dev.sublet.operator.ControlKind;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramAssembler;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.shape.LodCarriers;
import dev.sublet.verify.UnrolledLoop.Position;
import dev.sublet.verify.UnrolledLoop.Role;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes an original out like a rewritten program whose loops are unrolled, so that the two can be
 * compared operator by operator.
 *
 * <p>Only one thing is done to the original, and it is the same whatever the rewritten program says
 * about variables: {@code while(c){B}} becomes {@code while(c){B; conditional_block(c){B; …}}},
 * with as many copies of B as the rewritten program has. Locals of B that each iteration overwrites
 * first, and arrays, which are empty when an iteration begins, are declared anew in each copy; all
 * others are the loop's. Where the rewritten program counts its copies, the same operators count
 * here, in variables of their own; its fix-ups are empty here. The lists of inputs, outputs and
 * scopes of the operators concerned are left out on both sides: no forward operator looks at them.
 *
 * <p>At last every argument is resolved anew and must be the variable that was meant. Refused are
 * loops whose scopes a gradient walks, bodies with blocks of unknown operators, and locals that
 * carry LoD from one iteration to the next, which a runtime clears. O(size of the result).
 */
final class OriginalUnroller {

  private static final ImmutableList<String> LOOP_LISTS =
      ImmutableList.of("X", "Out", "StepScopes");
  private static final ImmutableList<String> BRANCH_LISTS =
      ImmutableList.of("Input", "Out", "Scope");
  private static final ImmutableList<String> SCOPES = ImmutableList.of("StepScopes", "Scope");

  /** Where the variables of the original are, seen from one copy of one block. */
  private static final class Scope {
    final @Nullable Scope outer;
    final boolean isUnrolled;
    final Map<Integer, Integer> homes = new HashMap<>();

    Scope(@Nullable Scope outer, boolean isUnrolled) {
      this.outer = outer;
      this.isUnrolled = isUnrolled;
    }

    /** The block that declares a variable of the original for this copy. */
    int home(Variable variable) {
      for (Scope scope = this; scope != null; scope = scope.outer) {
        Integer home = scope.homes.get(variable.index());
        if (home != null) {
          return home;
        }
      }
      return variable.block(); // of a block that is there once
    }
  }

  /** An operator that was written, the one that it is a copy of, and what that one's names mean. */
  private record Written(int block, int index, Operation source, Scope scope) {}

  private final Program original;
  private final Program rewritten;
  private final OperatorCatalog catalog;
  private final ObservationOptions options;
  private final Violations violations;
  private final Map<Position, UnrolledLoop> loops;
  private final Map<Position, Role> bookkeeping = new HashMap<>();
  private final ProgramAssembler result;
  private final ProgramAssembler trimmed;
  private final ObservedVariables observed;
  private final LodCarriers lod;
  private final BitSet visited = new BitSet();
  private final List<Written> written = new ArrayList<>();
  private final Map<Position, UnrolledLoop> unrolled = new HashMap<>();
  private final Map<Integer, String> counters = new HashMap<>();
  private boolean isFailed;

  OriginalUnroller(
      Program original,
      Program rewritten,
      OperatorCatalog catalog,
      ObservationOptions options,
      Violations violations) {
    this.original = original;
    this.rewritten = rewritten;
    this.catalog = catalog;
    this.options = options;
    this.violations = violations;
    this.loops = UnrolledLoops.find(rewritten, catalog);
    this.result = ProgramAssembler.like(original);
    this.trimmed = ProgramAssembler.of(rewritten);
    Walk walk = Walk.of(original, catalog);
    this.observed = ObservedVariables.of(walk, new Accesses(walk, catalog), options);
    this.lod = LodCarriers.find(original, catalog);
    for (UnrolledLoop loop : loops.values()) {
      bookkeeping.putAll(loop.bookkeeping());
    }
  }

  /** Both programs in the same form. */
  record Result(
      Program original,
      Program rewritten,
      ObservationOptions options,
      ImmutableMap<Position, UnrolledLoop> loops) {}

  /** Writes both; null if they do not correspond, and then there are violations. */
  @Nullable Result run() {
    for (Block block : rewritten.blocks()) {
      result.addBlock(block);
    }
    Scope root = new Scope(null, /* isUnrolled= */ false);
    declareAll(original.block(0), 0, root);
    visited.set(0);
    build(0, 0, rewritten.block(0).operations().size(), root);
    copyUnreached(root);
    if (isFailed) {
      return null;
    }
    declareTwins();
    Program copy = result.build();
    for (Written each : written) {
      checkMeaning(each, copy);
    }
    return isFailed
        ? null
        : new Result(copy, trimmed.build(), observingTheSame(), ImmutableMap.copyOf(unrolled));
  }

  /** Without its lists an operator does not say any more what it may have written. */
  private ObservationOptions observingTheSame() {
    ImmutableSet.Builder<String> keep = ImmutableSet.builder();
    keep.addAll(options.keep());
    for (Variable variable : original.block(0).variables()) {
      if (observed.isObserved(variable.index())) {
        keep.add(variable.name());
      }
    }
    return new ObservationOptions(options.fetch(), keep.build(), options.reuseFeeds());
  }

  private void object(Place place, String message) {
    if (!isFailed) {
      violations.add(place, message);
    }
    isFailed = true;
  }

  private void declareAll(Block source, int target, Scope scope) {
    for (Variable variable : source.variables()) {
      result.declare(target, variable);
      scope.homes.put(variable.index(), target);
    }
  }

  private boolean isSilent(Program program, Operation operation) {
    return Alignment.isDeletion(operation) || Alignment.isCopy(program, operation, catalog);
  }

  /** Writes the operators of a block, and with each its counterpart's blocks. */
  private void build(int source, int target, int end, Scope scope) {
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
            operation.place(),
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
          others.get(next).place(),
          "the rewritten program has an operator that the original lacks");
    }
  }

  /** Passes operators that only the rewritten program has, and writes those that count. */
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

  private void buildPair(Operation operation, Operation other, int target, Scope scope) {
    ControlKind kind = catalog.lookup(operation.type()).control();
    ImmutableList<Integer> blocks = operation.blocks();
    if (blocks.isEmpty()) {
      write(target, operation, IntUnaryOperator.identity(), ImmutableMap.of(), scope);
      return;
    }
    boolean isForward = kind == ControlKind.WHILE || kind == ControlKind.CONDITIONAL;
    if (!isForward || blocks.size() != 1) {
      if (scope.isUnrolled || !other.blocks().equals(blocks)) {
        object(operation.place(), "its blocks are in a loop that is unrolled");
        return;
      }
      write(target, operation, IntUnaryOperator.identity(), ImmutableMap.of(), scope);
      return;
    }
    if (other.blocks().size() != 1) {
      object(operation.place(), "the blocks that the operator runs were changed");
      return;
    }
    UnrolledLoop loop = loops.get(Position.of(other));
    if (loop != null && UnrolledLoops.entries(original, catalog, operation).isEmpty()) {
      unroll(operation, other, loop, target, scope);
      return;
    }
    Scope inner = new Scope(scope, scope.isUnrolled);
    trim(operation, other, scope.isUnrolled ? SCOPES : ImmutableList.of(), target, scope);
    if (enter(operation, blocks.get(0), other.blocks().get(0), scope.isUnrolled)) {
      declareAll(original.block(blocks.get(0)), other.blocks().get(0), inner);
      int body = other.blocks().get(0);
      build(blocks.get(0), body, rewritten.block(body).operations().size(), inner);
    }
  }

  /** Writes an operator without some lists, and takes them from its counterpart. */
  private void trim(
      Operation operation, Operation other, ImmutableList<String> lists, int target, Scope scope) {
    ImmutableMap<String, ImmutableList<String>> empty = emptied(lists);
    int from = operation.blocks().get(0);
    int to = other.blocks().get(0);
    write(target, operation, block -> block == from ? to : block, empty, scope);
    trimmed.replace(other.block(), other.index(), empty);
  }

  private static ImmutableMap<String, ImmutableList<String>> emptied(ImmutableList<String> lists) {
    ImmutableMap.Builder<String, ImmutableList<String>> empty = ImmutableMap.builder();
    lists.forEach(list -> empty.put(list, ImmutableList.of()));
    return empty.buildOrThrow();
  }

  /** Notes that a block of the rewritten program stands for one of the original. */
  private boolean enter(Operation operation, int source, int target, boolean isCopy) {
    boolean isOwn = source == target;
    boolean isNew = target >= original.blocks().size();
    if (visited.get(target) || !(isOwn || (isCopy && isNew))) {
      object(operation.place(), "the blocks that the operator runs were changed");
      return false;
    }
    for (Variable variable : original.block(source).variables()) {
      if (isCopy && !isOwn && variable.isPersistable()) {
        object(operation.place(), "the block declares a persistable, so it cannot be repeated");
        return false;
      }
    }
    visited.set(target);
    return true;
  }

  private void unroll(
      Operation operation, Operation other, UnrolledLoop loop, int target, Scope scope) {
    int source = operation.blocks().get(0);
    unrolled.put(Position.of(other), loop);
    trim(operation, other, LOOP_LISTS, target, scope);
    Scope first = new Scope(scope, /* isUnrolled= */ true);
    for (int copy = 0; copy < loop.copies() && !isFailed; copy++) {
      int body = loop.body(copy);
      boolean isLast = copy == loop.copies() - 1;
      // The original's index for the first copy; inside of copies all blocks may be new.
      if (!enter(operation, source, body, copy > 0 || scope.isUnrolled)) {
        return;
      }
      Scope inner = copy == 0 ? first : new Scope(first, /* isUnrolled= */ true);
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

  /** Declares what each iteration begins without anew; the rest is the first copy's. */
  private void declareFresh(Operation loop, int source, int target, Scope scope) {
    for (Variable variable : original.block(source).variables()) {
      boolean isTensor = variable.kind() == Variable.Kind.TENSOR;
      if (variable.isPersistable() || variable.kind() == Variable.Kind.STEP_SCOPES) {
        continue;
      }
      if (!isTensor || observed.isOverwrittenFirst(variable.index())) {
        result.declare(target, variable);
        scope.homes.put(variable.index(), target);
      } else if (lod.carries(variable.index())) {
        object(
            loop.place().at(Violations.display(variable)),
            "carries LoD, which ends with the iteration, so the loop cannot be unrolled");
      }
    }
  }

  private void write(
      int block,
      Operation operation,
      IntUnaryOperator blocks,
      ImmutableMap<String, ImmutableList<String>> arguments,
      Scope scope) {
    written.add(new Written(block, result.size(block), operation, scope));
    result.add(block, operation, blocks, arguments);
  }

  private void writeEntry(Operation entry, Operation loop, Scope scope) {
    ImmutableMap<String, ImmutableList<String>> empty = emptied(BRANCH_LISTS);
    Variable condition = original.variable(LoopExits.condition(loop));
    trimmed.replace(entry.block(), entry.index(), empty);
    written.add(new Written(entry.block(), result.size(entry.block()), loop, scope));
    result.add(
        entry.block(),
        entry,
        IntUnaryOperator.identity(),
        ImmutableMap.<String, ImmutableList<String>>builder()
            .putAll(empty)
            .put("Cond", ImmutableList.of(condition.name()))
            .buildOrThrow());
  }

  /** Writes what counts copies, in variables that only the counting uses. */
  private void writeBookkeeping(Operation other, Role role, int target) {
    ImmutableMap.Builder<String, ImmutableList<String>> arguments = ImmutableMap.builder();
    switch (role) {
      case COUNT, NUMBER -> arguments.put("Out", counter(other.output(0)));
      case COMPARISON -> {
        arguments.put("X", counter(NodeIndex.only(other.inputSlot("X"))));
        arguments.put("Y", counter(NodeIndex.only(other.inputSlot("Y"))));
        arguments.put("Out", counter(other.output(0)));
      }
      case FIXUP -> {
        visited.set(other.blocks().get(0));
        trimmed.replace(other.block(), other.index(), emptied(BRANCH_LISTS));
        arguments.putAll(emptied(BRANCH_LISTS));
        arguments.put("Cond", counter(NodeIndex.only(other.inputSlot("Cond"))));
      }
    }
    result.add(target, other, IntUnaryOperator.identity(), arguments.buildOrThrow());
  }

  /** The variable that counts here where another one does in the rewritten program. */
  private ImmutableList<String> counter(int variable) {
    Variable like = rewritten.variable(variable);
    String name =
        counters.computeIfAbsent(
            variable,
            v -> {
              String free = "count" + counters.size();
              while (isTaken(free)) {
                free += "_";
              }
              result.declare(like.block(), free, like);
              return free;
            });
    return ImmutableList.of(name);
  }

  private boolean isTaken(String name) {
    for (Program program : new Program[] {original, rewritten}) {
      for (Block block : program.blocks()) {
        if (program.declared(block.index(), name) != Program.NO_VARIABLE) {
          return true;
        }
      }
    }
    return false;
  }

  /** Copies blocks that no operator is known to run. */
  private void copyUnreached(Scope root) {
    for (Block block : rewritten.blocks()) {
      int index = block.index();
      boolean isOwn = index < original.blocks().size();
      boolean sameFrame =
          isOwn
              && original.block(index).parent() == block.parent()
              && original.block(index).forward() == block.forward();
      if (isOwn && !sameFrame) {
        object(Place.block(index), "the parent or forward block was changed");
      } else if (!isOwn && (!visited.get(index) || block.forward() != Block.NONE)) {
        object(Place.block(index), "the original lacks the block");
      } else if (!visited.get(index)) {
        Scope scope = new Scope(root, /* isUnrolled= */ false);
        declareAll(original.block(index), index, scope);
        for (Operation operation : original.block(index).operations()) {
          write(index, operation, IntUnaryOperator.identity(), ImmutableMap.of(), scope);
        }
      }
    }
  }

  /** Declares what only the rewritten program has; nothing uses it here. */
  private void declareTwins() {
    for (Variable variable : rewritten.variables()) {
      if (!result.declares(variable.block(), variable.name())) {
        if (variable.name().contains("@GRAD")) {
          object(
              Place.variable(variable.block(), Violations.display(variable)),
              "has a name that a runtime may derive, and the original does not declare it");
        }
        result.declare(variable.block(), variable.name(), variable);
      }
    }
  }

  /** Whether the names of a copied operator mean what they mean in the original. */
  private void checkMeaning(Written each, Program copy) {
    Operation operation = copy.block(each.block()).operations().get(each.index());
    boolean isEntry = !operation.type().equals(each.source().type());
    if (isEntry) {
      int condition = LoopExits.condition(each.source());
      check(each, condition, NodeIndex.only(operation.inputSlot("Cond")), copy);
      return;
    }
    checkSlots(each, each.source().inputSlots(), operation.inputSlots(), copy);
    checkSlots(each, each.source().outputSlots(), operation.outputSlots(), copy);
    ImmutableList<AttributeReference> meant = original.attributeReferences(each.source());
    ImmutableList<AttributeReference> found = copy.attributeReferences(operation);
    for (int i = 0; i < Math.max(meant.size(), found.size()); i++) {
      boolean isSame =
          i < meant.size()
              && i < found.size()
              && meant.get(i).attribute().equals(found.get(i).attribute())
              && meant.get(i).position() == found.get(i).position();
      if (isSame) {
        check(each, meant.get(i).variable(), found.get(i).variable(), copy);
      } else {
        object(each.source().place(), "an attribute names other variables in a copy of the loop");
      }
    }
  }

  private void checkSlots(
      Written each, ImmutableList<Slot> meant, ImmutableList<Slot> found, Program copy) {
    for (int i = 0; i < meant.size(); i++) {
      for (int j = 0; j < found.get(i).size(); j++) {
        check(each, meant.get(i).variable(j), found.get(i).variable(j), copy);
      }
    }
  }

  private void check(Written each, int meant, int found, Program copy) {
    if (meant == Program.NO_VARIABLE && found == Program.NO_VARIABLE) {
      return;
    }
    boolean isMeant =
        meant != Program.NO_VARIABLE
            && found != Program.NO_VARIABLE
            && copy.variable(found).id().equals(meantBy(each, original.variable(meant)));
    if (!isMeant) {
      object(
          each.source().place(),
          "a name of the rewritten program hides a variable of the original in block "
              + each.block());
    }
  }

  private static VariableId meantBy(Written each, Variable variable) {
    return new VariableId(each.scope().home(variable), variable.name());
  }
}
