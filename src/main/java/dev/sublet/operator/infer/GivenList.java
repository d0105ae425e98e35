package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The numbers of an attribute, or the arguments of a slot. Immutable.
 *
 * <p>A file may contain lists of any length. So a missing element is reported as an input that the
 * operator does not accept, and not as an error in the rule that asks for the element.
 */
public final class GivenList<E> extends AbstractList<E> implements RandomAccess {

  private final String name;
  private final ImmutableList<E> elements;

  /**
   * Creates a list.
   *
   * @param name the name of the list in messages, such as {@code attribute 'paddings'}
   */
  public GivenList(String name, ImmutableList<E> elements) {
    this.name = name;
    this.elements = elements;
  }

  /**
   * Returns an element.
   *
   * @throws ShapeMismatchException if the list is too short
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
   * Returns consecutive elements.
   *
   * @throws ShapeMismatchException if the list is too short
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
