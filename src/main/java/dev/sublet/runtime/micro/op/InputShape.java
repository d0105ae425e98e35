package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.text.IndexParser;
import dev.sublet.runtime.micro.text.MicroCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The shape of an input while it is read. An extent may refer to another axis of the same input if
 * the caller decides the extent of that axis.
 */
final class InputShape implements IndexParser.NameScope {

  private final String input;
  private final IndexParser.NameScope others;
  private final List<IndexExpression> extents = new ArrayList<>();

  /** The extents of the input itself that its shape refers to, by their positions in the text. */
  private final TreeMap<Integer, IndexExpression> own = new TreeMap<>();

  private InputShape(String input, IndexParser.NameScope others) {
    this.input = input;
    this.others = others;
  }

  /** Reads a shape in brackets; {@code ?} denotes an extent that the caller decides. */
  static InputShape read(MicroCursor line, String input, IndexParser.NameScope others) {
    InputShape shape = new InputShape(input, others);
    line.expect("[");
    if (!line.isNext("]")) {
      do {
        shape.extents.add(
            line.accept("?")
                ? new IndexExpression.AxisSize(input, shape.extents.size())
                : IndexParser.next(line, shape));
      } while (line.accept(","));
    }
    line.expect("]");
    shape.own.forEach(
        (position, extent) -> {
          if (!shape.isFree(extent)) {
            throw line.error("a shape cannot say what " + extent + " is by itself", position);
          }
        });
    return shape;
  }

  private boolean isFree(IndexExpression extent) {
    return extent instanceof IndexExpression.AxisSize size
        && size.axis() < extents.size()
        && extents.get(size.axis()).equals(extent);
  }

  /** Returns the extents that were read. */
  ImmutableList<IndexExpression> extents() {
    return ImmutableList.copyOf(extents);
  }

  @Override
  public IndexExpression axisOfOperand(char letter, int axis) {
    return others.axisOfOperand(letter, axis);
  }

  @Override
  public IndexExpression axisOfTensor(String tensor, int axis) {
    return tensor.equals(input)
        ? new IndexExpression.AxisSize(tensor, axis)
        : others.axisOfTensor(tensor, axis);
  }

  @Override
  public IndexExpression parameter(String name) {
    return others.parameter(name);
  }

  @Override
  public IndexExpression loop(int id) {
    return others.loop(id);
  }

  @Override
  public IndexExpression element(String tensor, ImmutableList<IndexExpression> at) {
    return others.element(tensor, at);
  }

  @Override
  public void require(IndexExpression left, IndexExpression right) {
    others.require(left, right);
  }

  @Override
  public void found(IndexExpression meaning, int position) {
    if (meaning instanceof IndexExpression.AxisSize size && size.tensor().equals(input)) {
      own.put(position, meaning);
    }
  }
}
