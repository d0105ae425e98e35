package dev.sublet.verify;

import dev.sublet.operator.View;
import dev.sublet.plan.Allocation;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which bytes a write leaves as they are: those that the operator copies from an input which the
 * plan has put exactly where they go. By the catalog and the sizes; what the plan calls a view is
 * not looked at.
 */
final class KeptBytes {

  private record Stretch(long begin, long end) {}

  private final Walk walk;
  private final Accesses accesses;
  private final Sizes sizes;
  private final PlacedAllocations allocations;

  KeptBytes(Walk walk, Accesses accesses, Sizes sizes, PlacedAllocations allocations) {
    this.walk = walk;
    this.accesses = accesses;
    this.sizes = sizes;
    this.allocations = allocations;
  }

  /**
   * Whether a node's write of a variable may change a byte that two allocations have in common. All
   * of the written allocation may change but what is copied onto itself. O(views of the operator ×
   * log).
   *
   * @param written the allocation that the node writes the variable in
   * @param other the other allocation
   */
  boolean changes(int node, int variable, int written, int other) {
    Allocation target = allocations.get(written);
    Allocation bystander = allocations.get(other);
    if (target.arena() != bystander.arena()) {
      return false;
    }
    long position = Math.max(target.offset(), bystander.offset());
    long end = Math.min(target.offset() + target.bytes(), bystander.offset() + bystander.bytes());
    if (position >= end || !isKernel(node)) {
      return position < end;
    }
    for (Stretch stretch : kept(node, variable, target)) {
      if (stretch.begin() > position) {
        return true;
      }
      position = Math.max(position, stretch.end());
    }
    return position < end;
  }

  private boolean isKernel(int node) {
    return !walk.isHead(node) && !walk.isExit(node);
  }

  private List<Stretch> kept(int node, int variable, Allocation target) {
    Operation operation = walk.operation(node);
    List<Stretch> kept = new ArrayList<>();
    for (View view : sizes.views(operation)) {
      int input = operation.input(view.input());
      if (operation.output(view.output()) != variable
          || operation.countOutputs(variable) != 1
          || accesses.effect(node, view.output()) != Accesses.OutputEffect.KILLS
          || input == Program.NO_VARIABLE
          || !allocations.isPlanned(input)) {
        continue;
      }
      int source = allocations.at(input, 2 * node);
      if (source != PlacedAllocations.NONE
          && allocations.get(source).arena() == target.arena()
          && target.offset() - allocations.get(source).offset() == view.offset()) {
        long begin = allocations.get(source).offset() + view.startInInput();
        kept.add(new Stretch(begin, begin + view.bytes()));
      }
    }
    kept.sort(Comparator.comparingLong(Stretch::begin));
    return kept;
  }
}
