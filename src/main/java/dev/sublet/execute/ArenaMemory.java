package dev.sublet.execute;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.Effect;
import dev.sublet.operator.InPlacePair;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.OperatorSpec;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The planned variables are in the bytes that the plan gives them, the others in places of their
 * own.
 *
 * <p>Before an operator reads, all bytes that it is going to write are poisoned, except where it
 * may write over an input: the input is the output; the catalog lists the two as an in-place pair,
 * the operator accesses each once, and both have exactly the same bytes; or the catalog says that
 * one is a view of the other, and then the operator must leave these bytes as they are, which is
 * checked. So an overlap that is not legal makes the operator read garbage.
 */
final class ArenaMemory implements Memory {

  /** Bytes that an operator must not change. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(String input, String output, int arena, long from, byte[] bytes) {}

  private final Memory unplanned = new NamedMemory();
  private final OperatorCatalog catalog;
  private final long version;
  private final Placement placement;
  private final Arenas arenas;
  private final List<Kept> kept = new ArrayList<>();

  /**
   * Arenas full of poison.
   *
   * @throws OperatorException if the plan is not for the program, or an arena is too large to run
   */
  ArenaMemory(Program program, MemoryPlan plan, OperatorCatalog catalog) {
    this.catalog = catalog;
    this.version = program.version();
    this.placement = new Placement(program, plan);
    this.arenas = new Arenas(plan);
  }

  @Override
  public void prepare(Step step) {
    kept.clear();
    checkOutputs(step);
    for (Argument output : step.outputs()) {
      Allocation target = placement.at(output.cell(), 2 * step.node() + 1);
      if (target != null) {
        prepare(step, output, target);
      }
    }
  }

  private void prepare(Step step, Argument output, Allocation target) {
    boolean overwrites =
        step.spec().outputEffect(output.slot()) == Effect.MUST_WRITE
            && !step.isInput(output.cell());
    List<Allocation> legal = new ArrayList<>();
    List<Allocation> illegal = new ArrayList<>();
    for (Argument input : step.inputs()) {
      Allocation source = placement.at(input.cell(), 2 * step.node());
      boolean isRead = !step.spec().noNeedBuffer().contains(input.slot());
      if (source != null && isRead && overlap(source, target)) {
        boolean same = haveSameBytes(source, target);
        if (same && (isSame(input, output) || isInPlacePair(step, input, output))) {
          legal.add(source);
        } else if (isView(step.spec(), input, output)) {
          legal.add(source);
          keep(input, output, source, target);
        } else {
          illegal.add(source);
        }
      }
    }
    if (overwrites) {
      poisonBut(target, legal);
    }
    for (Allocation source : illegal) {
      arenas.poison(target.arena(), begin(source, target), end(source, target));
    }
  }

  @SuppressWarnings("ReferenceEquality") // an instance is itself
  private static boolean isSame(Argument input, Argument output) {
    return input.cell() == output.cell();
  }

  private boolean isInPlacePair(Step step, Argument input, Argument output) {
    Operation operation = step.operation();
    for (InPlacePair pair : catalog.inPlacePairs(step.spec(), version)) {
      if (pair.input().equals(input.slot())
          && pair.output().equals(output.slot())
          && input.variable() != Program.NO_VARIABLE
          && output.variable() != Program.NO_VARIABLE
          && pair.source(operation) == input.variable()
          && pair.target(operation) == output.variable()) {
        return true;
      }
    }
    return false;
  }

  private boolean isView(OperatorSpec spec, Argument input, Argument output) {
    return spec.aliases(version)
        || (spec.viewRule() != null
            && spec.viewRule().input().equals(input.slot())
            && spec.viewRule().output().equals(output.slot()));
  }

  private void keep(Argument input, Argument output, Allocation source, Allocation target) {
    long from = begin(source, target);
    byte[] bytes = arenas.copy(target.arena(), from, end(source, target));
    kept.add(new Kept(input.name(), output.name(), target.arena(), from, bytes));
  }

  /** Poisons a place but for the bytes that are in one of the others. */
  private void poisonBut(Allocation target, List<Allocation> spared) {
    long position = target.offset();
    long end = target.offset() + target.bytes();
    List<Allocation> ascending = new ArrayList<>(spared);
    ascending.sort((a, b) -> Long.compare(a.offset(), b.offset()));
    for (Allocation source : ascending) {
      arenas.poison(target.arena(), position, Math.max(position, begin(source, target)));
      position = Math.max(position, end(source, target));
    }
    arenas.poison(target.arena(), position, Math.max(position, end));
  }

  /** Two results of one operator cannot have a byte in common. */
  private void checkOutputs(Step step) {
    ImmutableList<Argument> outputs = step.outputs();
    for (int i = 0; i < outputs.size(); i++) {
      Allocation first = placement.at(outputs.get(i).cell(), 2 * step.node() + 1);
      for (int j = i + 1; first != null && j < outputs.size(); j++) {
        Allocation second = placement.at(outputs.get(j).cell(), 2 * step.node() + 1);
        if (second != null && !isSame(outputs.get(i), outputs.get(j)) && overlap(first, second)) {
          throw new OperatorException(
                  "the plan gives it bytes that another output has, '"
                      + outputs.get(i).name()
                      + "'")
              .at(outputs.get(j).name());
        }
      }
    }
  }

  private static boolean overlap(Allocation a, Allocation b) {
    return a.arena() == b.arena() && begin(a, b) < end(a, b);
  }

  private static long begin(Allocation a, Allocation b) {
    return Math.max(a.offset(), b.offset());
  }

  private static long end(Allocation a, Allocation b) {
    return Math.min(a.offset() + a.bytes(), b.offset() + b.bytes());
  }

  private static boolean haveSameBytes(Allocation a, Allocation b) {
    return a.arena() == b.arena() && a.offset() == b.offset() && a.bytes() == b.bytes();
  }

  @Override
  public @Nullable LodTensor read(Cell cell, int point) {
    if (!placement.isPlanned(cell)) {
      return unplanned.read(cell, point);
    }
    Cell.Header header = cell.header;
    if (header == null) {
      return null;
    }
    Allocation allocation = placeOf(cell, point);
    return new LodTensor(arenas.get(header.type(), header.shape(), allocation), header.lod());
  }

  @Override
  public @Nullable LodTensor readShape(Cell cell, int point) {
    if (!placement.isPlanned(cell)) {
      return unplanned.readShape(cell, point);
    }
    Cell.Header header = cell.header;
    return header == null
        ? null
        : new LodTensor(Arenas.poison(header.type(), header.shape()), header.lod());
  }

  @Override
  public void write(Cell cell, int point, LodTensor tensor) {
    if (!placement.isPlanned(cell)) {
      unplanned.write(cell, point, tensor);
      return;
    }
    arenas.put(tensor.tensor(), placeOf(cell, point));
    cell.header = new Cell.Header(tensor.tensor().type(), tensor.tensor().shape(), tensor.lod());
  }

  private Allocation placeOf(Cell cell, int point) {
    Allocation allocation = placement.at(cell, point);
    if (allocation == null) {
      throw new OperatorException("the plan gives it no place at point " + point)
          .at(requireNonNull(cell.variable).name());
    }
    return allocation;
  }

  @Override
  public void clear(Cell cell) {
    unplanned.clear(cell);
    cell.header = null;
  }

  @Override
  public void clearLod(Cell cell) {
    unplanned.clearLod(cell);
    Cell.Header header = cell.header;
    if (header != null) {
      cell.header = new Cell.Header(header.type(), header.shape(), ImmutableList.of());
    }
  }

  @Override
  public void finish(Step step) {
    for (Kept bytes : kept) {
      if (!arenas.isUnchanged(bytes.arena(), bytes.from(), bytes.bytes())) {
        throw new OperatorException(
                "the plan lays it over '" + bytes.input() + "', whose bytes it does not repeat")
            .at(bytes.output());
      }
    }
  }

  @Override
  public boolean covers(Cell cell, int point) {
    return !placement.isPlanned(cell) || placement.at(cell, point) != null;
  }
}
