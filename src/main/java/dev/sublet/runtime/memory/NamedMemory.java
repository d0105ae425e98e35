package dev.sublet.runtime.memory;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.kernel.LodTensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A memory in which each instance has a tensor of its own, as in a runtime without a plan. */
public final class NamedMemory implements Memory {

  @Override
  public void setIterations(int block, long count) {}

  @Override
  public boolean skip(Step step) {
    return false;
  }

  @Override
  public void prepare(Step step) {}

  @Override
  public @Nullable LodTensor read(Cell cell, int point) {
    return cell.tensor;
  }

  @Override
  public @Nullable LodTensor readShape(Cell cell, int point) {
    return cell.tensor;
  }

  @Override
  public void write(Cell cell, int point, LodTensor tensor) {
    cell.clearSequence();
    cell.tensor = tensor;
  }

  @Override
  public @Nullable LodTensor element(Cell array, int point, int index) {
    return array.array.get(index);
  }

  @Override
  public void setElement(Cell array, int point, int index, LodTensor tensor) {
    while (array.array.size() <= index) {
      array.array.add(null);
    }
    array.array.set(index, tensor);
  }

  @Override
  public void setElements(Cell array, int point, List<@Nullable LodTensor> elements) {
    array.setArray(elements);
  }

  @Override
  public void clear(Cell cell) {
    cell.tensor = null;
    cell.clearSequence();
  }

  @Override
  public void clearLod(Cell cell) {
    LodTensor tensor = cell.tensor;
    if (tensor != null) {
      cell.tensor = new LodTensor(tensor.tensor(), ImmutableList.of());
    }
  }

  @Override
  public void finish(Step step) {}

  @Override
  public boolean covers(Cell cell, int point) {
    return true;
  }
}
