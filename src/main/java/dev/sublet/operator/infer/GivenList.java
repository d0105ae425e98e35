package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * What an operator was given under one name: the numbers of an attribute, the arguments of a slot.
 * Immutable. Files may hold lists of any length, so an element that is not there is an input that
 * the operator does not accept, and no error of the rule that asks for it.
 */
public final class GivenList<E> extends AbstractList<E> implements RandomAccess {

  private final String name;
  private final ImmutableList<E> elements;

  /**
   * A list.
   *
   * @param name what it is called in complaints, such as {@code attribute 'paddings'}
   */
  public GivenList(String name, ImmutableList<E> elements) {
    this.name = name;
    this.elements = elements;
  }

  /**
   * An element.
   *
   * @throws ShapeMismatchException if there are less
   */
  @Override
  public E get(int index) {
    if (index < 0 || index >= elements.size()) {
      throw new ShapeMismatchException(
          name + " has " + elements.size() + " elements, too few for number " + (index + 1));
    }
    return elements.get(index);
  }

  @Override
  public int size() {
    return elements.size();
  }

  /**
   * Some consecutive elements.
   *
   * @throws ShapeMismatchException if there are less
   */
  @Override
  public List<E> subList(int from, int to) {
    if (from < 0 || from > to || to > elements.size()) {
      throw new ShapeMismatchException(
          name + " has " + elements.size() + " elements, not those from " + from + " to " + to);
    }
    return elements.subList(from, to);
  }
}
