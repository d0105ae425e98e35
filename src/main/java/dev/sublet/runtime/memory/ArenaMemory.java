package dev.sublet.runtime.memory;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A memory in which the planned variables occupy the bytes that the plan gives them. Every other
 * variable has a tensor of its own.
 *
 * <p>Before an operator reads its inputs, all bytes that it is going to write are poisoned. An
 * illegal overlap of an input and an output therefore makes the operator read garbage. In three
 * cases the overlap is legal, and the bytes of the input are not poisoned:
 *
 * <ul>
 *   <li>The input and the output are the same variable.
 *   <li>The catalog lists the two as an in-place pair, the operator accesses each once, and both
 *       have exactly the same bytes.
 *   <li>The catalog states that one is a view of the other. Then the operator must leave these
 *       bytes unchanged, which is checked.
 * </ul>
 *
 * <p>The location of a variable in rotating buffers is computed anew at every access. A copy that
 * the plan allows to skip only passes on type, shape and LoD, after a check that source and target
 * are the same bytes at that moment.
 */
public final class ArenaMemory implements Memory {

  /** Bytes that an operator must not change, with a copy of their values. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(String input, String output, ArenaBytes arena, long from, byte[] bytes) {}

  private final Memory unplanned = new NamedMemory();
  private final OperatorCatalog catalog;
  private final long version;
  private final ArenaPlacement placement;
  private final SkippedCopies skipped;
  private final List<Kept> kept = new ArrayList<>();

  /**
   * Creates arenas that are full of poison.
   *
   * @throws OperatorException if the plan is not for the program, or an arena is larger than 2 GiB
   * @throws ProgramException if the plan skips an operator that is not a copy
   */
  public ArenaMemory(
      Program program, MemoryPlan plan, OperatorCatalog catalog, Numbering numbering) {
    this.catalog = catalog;
    this.version = program.version();
    this.placement = new ArenaPlacement(program, plan, numbering);
    this.skipped = new SkippedCopies(program, plan);
  }

  @Override
  public void prepare(Step step) {
    kept.clear();
    checkOutputs(step);
    for (Argument output : step.outputs()) {
      ByteRange target = placement.at(output.cell(), 2 * step.node() + 1);
      if (target != null) {
        prepare(step, output, target);
      }
    }
  }

  private void prepare(Step step, Argument output, ByteRange target) {
    boolean overwrites =
        step.spec().effects().on(output.slot()) == Effect.MUST_WRITE
            && !step.isInput(output.cell());
    List<ByteRange> legal = new ArrayList<>();
    List<ByteRange> illegal = new ArrayList<>();
    for (Argument input : step.inputs()) {
      ByteRange source = placement.at(input.cell(), 2 * step.node());
      boolean isRead = !step.spec().noNeedBuffer().contains(input.slot());
      if (source != null && isRead && source.overlaps(target)) {
        boolean same = source.equals(target);
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
    for (ByteRange source : illegal) {
      target.arena().poison(source.commonBegin(target), source.commonEnd(target));
    }
  }

  @SuppressWarnings("ReferenceEquality") // instances are compared by identity
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

  private void keep(Argument input, Argument output, ByteRange source, ByteRange target) {
    long from = source.commonBegin(target);
    byte[] bytes = target.arena().copy(from, source.commonEnd(target));
    kept.add(new Kept(input.name(), output.name(), target.arena(), from, bytes));
  }

  /** Poisons a range of bytes except where it overlaps one of the spared ranges. */
  private void poisonBut(ByteRange target, List<ByteRange> spared) {
    long position = target.offset();
    List<ByteRange> ascending = new ArrayList<>(spared);
    ascending.sort((a, b) -> Long.compare(a.offset(), b.offset()));
    for (ByteRange source : ascending) {
      target.arena().poison(position, Math.max(position, source.commonBegin(target)));
      position = Math.max(position, source.commonEnd(target));
    }
    target.arena().poison(position, Math.max(position, target.end()));
  }

  /** Checks that no two outputs of one operator have a byte in common. */
  private void checkOutputs(Step step) {
    ImmutableList<Argument> outputs = step.outputs();
    for (int i = 0; i < outputs.size(); i++) {
      ByteRange first = placement.at(outputs.get(i).cell(), 2 * step.node() + 1);
      for (int j = i + 1; first != null && j < outputs.size(); j++) {
        ByteRange second = placement.at(outputs.get(j).cell(), 2 * step.node() + 1);
        if (second != null && !isSame(outputs.get(i), outputs.get(j)) && first.overlaps(second)) {
          throw new OperatorException(
                  "the plan gives it bytes that another output has, '"
                      + outputs.get(i).name()
                      + "'")
              .at(outputs.get(j).name());
        }
      }
    }
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
    return new LodTensor(placeOf(cell, point).get(header.type(), header.shape()), header.lod());
  }

  @Override
  public @Nullable LodTensor readShape(Cell cell, int point) {
    if (!placement.isPlanned(cell)) {
      return unplanned.readShape(cell, point);
    }
    Cell.Header header = cell.header;
    return header == null
        ? null
        : new LodTensor(ArenaBytes.poison(header.type(), header.shape()), header.lod());
  }

  @Override
  public @Nullable LodTensor readOld(Cell cell, int point) {
    boolean isPlaced = !placement.isPlanned(cell) || placement.at(cell, point) != null;
    return isPlaced ? read(cell, point) : readShape(cell, point);
  }

  @Override
  public void write(Cell cell, int point, LodTensor tensor) {
    if (!placement.isPlanned(cell)) {
      if (tensor.tensor().length() > 0 && placement.isNeverMade(cell)) {
        throw new OperatorException("it is made, and the plan says that no run makes it")
            .at(requireNonNull(cell.variable).name());
      }
      unplanned.write(cell, point, tensor);
      return;
    }
    if (tensor.tensor().length() > 0) {
      placeOf(cell, point).put(tensor.tensor());
    }
    cell.header = new Cell.Header(tensor.tensor().type(), tensor.tensor().shape(), tensor.lod());
  }

  @Override
  public @Nullable LodTensor element(Cell array, int point, int index) {
    LodTensor element = unplanned.element(array, point, index);
    if (element == null || !placement.isPlanned(array)) {
      return element;
    }
    // The list has the type, the shape and the LoD of the element, the arena its bytes.
    Tensor header = element.tensor();
    ByteRange slot = slotOf(array, point, index);
    return new LodTensor(slot.get(header.type(), header.shape()), element.lod());
  }

  @Override
  public void setElement(Cell array, int point, int index, LodTensor tensor) {
    unplanned.setElement(array, point, index, tensor);
    if (placement.isPlanned(array)) {
      slotOf(array, point, index).put(tensor.tensor());
    }
  }

  @Override
  public void setElements(Cell array, int point, List<@Nullable LodTensor> elements) {
    unplanned.setElements(array, point, elements);
    if (placement.isPlanned(array)) {
      for (int i = 0; i < elements.size(); i++) {
        LodTensor element = elements.get(i);
        if (element != null) {
          slotOf(array, point, i).put(element.tensor());
        }
      }
    }
  }

  private ByteRange slotOf(Cell array, int point, int index) {
    ByteRange place = placeOf(array, point);
    long slots = placement.slots(array, point);
    return place.slot(index % slots, slots);
  }

  private ByteRange placeOf(Cell cell, int point) {
    ByteRange place = placement.at(cell, point);
    if (place == null) {
      throw new OperatorException("the plan gives it no place at point " + point)
          .at(requireNonNull(cell.variable).name());
    }
    return place;
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
  public void setIterations(int block, long count) {
    placement.setIterations(block, count);
  }

  @Override
  public boolean skip(Step step) {
    if (!skipped.contains(step.operation())) {
      return false;
    }
    Argument input = step.inputs().get(0);
    Argument output = step.outputs().get(0);
    Cell.Header header = input.cell().header;
    if (header == null) {
      throw new OperatorException("the plan skips it, but nothing has written what it copies")
          .at(input.name());
    }
    ByteRange source = placement.at(input.cell(), 2 * step.node());
    ByteRange target = placement.at(output.cell(), 2 * step.node() + 1);
    if (source == null || target == null || !source.equals(target)) {
      throw new OperatorException(
          "the plan skips it, but gives '"
              + input.name()
              + "' "
              + describe(source)
              + " and '"
              + output.name()
              + "' "
              + describe(target));
    }
    target.checkSize(header.type(), header.shape());
    output.cell().header = header;
    return true;
  }

  private static String describe(@Nullable ByteRange place) {
    return place == null
        ? "none"
        : ByteText.inWords(place.bytes()) + " from " + place.offset() + " on";
  }

  @Override
  public void finish(Step step) {
    for (Kept bytes : kept) {
      if (!bytes.arena().isUnchanged(bytes.from(), bytes.bytes())) {
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
