package dev.sublet.verify.rewrite;

import com.google.common.primitives.Ints;
import dev.sublet.verify.graph.ChangeLog;
import dev.sublet.verify.graph.ChangedSince;
import dev.sublet.verify.graph.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The relation "has the same value as" between original and rewritten variables.
 *
 * <p>It is kept as numbers of values: two variables are related if they have the same number. So an
 * operator costs O(1), however many variables have copies of a value.
 *
 * <pre>
 *   a = relu(x)  |  t = relu(x)       a: 7           t: 7
 *   b = assign(a)                     a: 7, b: 7     t: 7      t is related to a and to b
 * </pre>
 *
 * <p>The intersection of two relations, where two paths meet, gives each rewritten variable a
 * number for the pair of its two numbers, and an original variable the number of the same pair:
 *
 * <pre>
 *   one path       a: 7    b: 7      t: 7
 *   the other      a: 8    b: 9      t: 8
 *   intersection   a: 10   b: none   t: 10     10 stands for (7, 8); no variable has (7, 9)
 * </pre>
 *
 * <p>An original variable that was never written is related to every variable. Its intersection
 * with a number is a set of numbers, of which at most {@link #MAXIMUM_ALTERNATIVES} are kept,
 * because a smaller relation is always safe.
 */
final class ValueNumbering {

  private static final int MAXIMUM_ALTERNATIVES = 8;

  /** The number of an original variable that was never written. */
  private static final int ANYTHING = 0;

  /** A number that no rewritten variable ever has. */
  private static final int NOTHING = 1;

  /** Marks a number with more than one image. */
  private static final int SEVERAL = -1;

  /** By original variable: a number, or the complement of an index into {@link #alternatives}. */
  private final int[] original;

  private final int[] rewritten;

  /** Whether nothing depends on the value of an original variable. It is never defined then. */
  private final IntPredicate isUnseen;

  private final List<int[]> alternatives = new ArrayList<>();
  private final ChangeLog log = new ChangeLog();
  private final ChangedSince changes;

  /** The images of numbers in one call of a method; a field only because it is used again. */
  private final NumberMap images = new NumberMap();

  private int nextNumber = 2;

  /**
   * Creates the relation in which no variable is written; each rewritten variable has a number of
   * its own.
   *
   * @param isUnseen whether nothing depends on the value of an original variable. Such a variable
   *     stays related to every variable, so that it makes no loop run again
   */
  ValueNumbering(int originals, int rewrittens, IntPredicate isUnseen) {
    this.isUnseen = isUnseen;
    this.original = new int[originals];
    this.rewritten = new int[rewrittens];
    for (int v = 0; v < rewrittens; v++) {
      rewritten[v] = nextNumber++;
    }
    this.changes = new ChangedSince(log, originals, rewrittens);
  }

  /** Whether the two variables have the same value. */
  boolean areRelated(int u, int v) {
    return holds(original[u], rewritten[v]);
  }

  /** Whether the original variable may have been written. */
  boolean isDefined(int u) {
    return original[u] != ANYTHING;
  }

  private boolean holds(int value, int number) {
    return value == ANYTHING
        || value == number
        || (value < 0 && Ints.contains(alternatives.get(~value), number));
  }

  private void setOriginal(int u, int value) {
    if (!isUnseen.test(u)) {
      log.record(u, original[u]);
      original[u] = value;
    }
  }

  private void setRewritten(int v, int number) {
    log.record(~v, rewritten[v]);
    rewritten[v] = number;
  }

  /** Gives both variables the same new value. */
  void overwrite(int u, int v) {
    int number = nextNumber++;
    setOriginal(u, number);
    setRewritten(v, number);
  }

  /** Writes both variables, perhaps in part or not at all; they stay related if they were. */
  void write(int u, int v) {
    if (areRelated(u, v)) {
      overwrite(u, v);
    } else {
      setOriginal(u, NOTHING);
      setRewritten(v, nextNumber++);
    }
  }

  /** Gives an original variable the value of another one. */
  void copyOriginal(int from, int to) {
    setOriginal(to, original[from]);
  }

  /** Gives a rewritten variable the value of another one. */
  void copyRewritten(int from, int to) {
    setRewritten(to, rewritten[from]);
  }

  /** Makes the original variable undefined, so that it is related to every rewritten variable. */
  void undefineOriginal(int u) {
    setOriginal(u, ANYTHING);
  }

  /** Gives the original variable a value that no rewritten variable has. */
  void loseOriginal(int u) {
    setOriginal(u, NOTHING);
  }

  /** Gives the rewritten variable a value that no original variable has. */
  void loseRewritten(int v) {
    setRewritten(v, nextNumber++);
  }

  /** Returns a lower bound of all numbers that are assigned from now on. */
  int nextNumber() {
    return nextNumber;
  }

  /** Starts recording changes for a body; returns a mark. */
  int open() {
    return log.open();
  }

  /** Returns a mark: the position of the next change in the log. */
  int logSize() {
    return log.size();
  }

  /** Ends a body; its changes remain recorded for the enclosing bodies. */
  void close() {
    log.close();
  }

  /** Undoes all changes since the mark. */
  void undo(int mark) {
    for (int i = log.size() - 1; i >= mark; i--) {
      if (log.key(i) >= 0) {
        original[log.key(i)] = log.previous(i);
      } else {
        rewritten[~log.key(i)] = log.previous(i);
      }
    }
    log.truncate(mark);
  }

  /** Returns the changes since a mark, for {@link #restore}. */
  ChangedSince changesSince(int mark) {
    changes.collect(mark);
    return changes;
  }

  /** Restores the previous value of the i-th changed variable. */
  void restore(ChangedSince changed, int i) {
    if (changed.isOriginal(i)) {
      setOriginal(changed.variable(i), changed.previous(i));
    } else {
      setRewritten(changed.variable(i), changed.previous(i));
    }
  }

  /**
   * Gives the variables that a loop writes numbers that no other variable has. A pair of which the
   * loop writes only one variable is lost, as it would be after one run of the body.
   */
  void separate(IntList originals, IntList rewrittens) {
    images.clear();
    for (int i = 0; i < rewrittens.size(); i++) {
      int v = rewrittens.get(i);
      setRewritten(v, renumber(rewritten[v]));
    }
    for (int i = 0; i < originals.size(); i++) {
      setOriginal(originals.get(i), renumberOriginal(original[originals.get(i)]));
    }
  }

  /** Returns the new number of a rewritten variable's number, the same each time. */
  private int renumber(int number) {
    int renamed = images.get(number);
    if (renamed == NumberMap.ABSENT) {
      renamed = nextNumber++;
      images.put(number, renamed);
    }
    return renamed;
  }

  /** Returns an original variable's value in the new numbers. */
  private int renumberOriginal(int value) {
    if (value == ANYTHING) {
      return ANYTHING;
    }
    if (value > 0) {
      int renamed = images.get(value);
      return renamed == NumberMap.ABSENT ? NOTHING : renamed;
    }
    IntList numbers = new IntList();
    for (int number : numbers(value)) {
      int renamed = images.get(number);
      if (renamed != NumberMap.ABSENT) {
        numbers.add(renamed);
      }
    }
    return value(numbers);
  }

  private int[] numbers(int value) {
    return value < 0 ? alternatives.get(~value) : new int[] {value};
  }

  private int value(IntList numbers) {
    if (numbers.size() == 0) {
      return NOTHING;
    }
    if (numbers.size() == 1) {
      return numbers.get(0);
    }
    int kept = Math.min(numbers.size(), MAXIMUM_ALTERNATIVES);
    alternatives.add(Arrays.copyOf(numbers.toArray(), kept));
    return ~(alternatives.size() - 1);
  }

  /**
   * Replaces the state by its intersection with the state at the mark.
   *
   * @param firstNumber the value of {@link #nextNumber} at the mark
   */
  void intersect(int mark, int firstNumber) {
    ChangedSince changed = changesSince(mark);
    int[] values = intersection(changed, firstNumber);
    apply(changed, values);
  }

  /**
   * Replaces the state at the mark by its intersection with the present state: all changes since
   * the mark are undone first.
   */
  void intersectAtMark(int mark, int firstNumber) {
    ChangedSince changed = changesSince(mark);
    int[] values = intersection(changed, firstNumber);
    undo(mark);
    apply(changed, values);
  }

  /**
   * Returns the changes since a mark, for {@link #join}.
   *
   * @param isKept by key, which is an original variable or the complement of a rewritten one,
   *     whether its change is kept
   */
  Departure departure(int mark, IntPredicate isKept) {
    ChangedSince changed = changesSince(mark);
    Departure departure = new Departure();
    for (int i = 0; i < changed.size(); i++) {
      int variable = changed.variable(i);
      int key = changed.isOriginal(i) ? variable : ~variable;
      if (isKept.test(key)) {
        departure.keys.add(key);
        departure.values.add(changed.isOriginal(i) ? original[variable] : rewritten[variable]);
      }
    }
    return departure;
  }

  /**
   * Intersects the state with that of another path from the same mark.
   *
   * @param other the changes on the other path
   * @param firstNumber the value of {@link #nextNumber} at the mark
   * @param onward the operations of the other path before the two meet
   */
  void join(Departure other, int mark, int firstNumber, Runnable onward) {
    ChangedSince changed = changesSince(mark);
    int present = log.size();
    for (int i = 0; i < changed.size(); i++) {
      restore(changed, i);
    }
    for (int i = 0; i < other.keys.size(); i++) {
      int key = other.keys.get(i);
      if (key >= 0) {
        setOriginal(key, other.values.get(i));
      } else {
        setRewritten(~key, other.values.get(i));
      }
    }
    onward.run();
    intersect(present, firstNumber);
  }

  /** The values of variables where a path left the others. */
  static final class Departure {
    private final IntList keys = new IntList();
    private final IntList values = new IntList();

    private Departure() {}
  }

  private void apply(ChangedSince changed, int[] values) {
    for (int i = 0; i < changed.size(); i++) {
      if (changed.isOriginal(i)) {
        setOriginal(changed.variable(i), values[i]);
      } else {
        setRewritten(changed.variable(i), values[i]);
      }
    }
  }

  private int[] intersection(ChangedSince changed, int firstNumber) {
    Intersection pairs = new Intersection(firstNumber);
    int[] values = new int[changed.size()];
    for (int i = 0; i < changed.size(); i++) {
      if (!changed.isOriginal(i)) {
        values[i] = pairs.number(changed.previous(i), rewritten[changed.variable(i)]);
      }
    }
    for (int i = 0; i < changed.size(); i++) {
      if (changed.isOriginal(i)) {
        values[i] = pairs.value(changed.previous(i), original[changed.variable(i)]);
      }
    }
    return values;
  }

  /** The numbers that an intersection assigns to pairs of numbers. */
  private final class Intersection {
    private final int firstNumber;
    private final Map<Long, Integer> pairs = new HashMap<>();
    private final Map<Integer, IntList> byBefore = new HashMap<>();
    private final Map<Integer, IntList> byAfter = new HashMap<>();

    Intersection(int firstNumber) {
      this.firstNumber = firstNumber;
    }

    int number(int before, int after) {
      long key = ((long) before << 32) | after;
      Integer known = pairs.get(key);
      if (known != null) {
        return known;
      }
      int number = before == after ? before : nextNumber++;
      pairs.put(key, number);
      byBefore.computeIfAbsent(before, n -> new IntList()).add(number);
      byAfter.computeIfAbsent(after, n -> new IntList()).add(number);
      return number;
    }

    int value(int before, int after) {
      if (before == after) {
        return before;
      }
      IntList common = new IntList();
      if (before == ANYTHING) {
        addAll(numbers(after), byAfter, common);
      } else if (after == ANYTHING) {
        addAll(numbers(before), byBefore, common);
      } else {
        for (int a : numbers(before)) {
          for (int b : numbers(after)) {
            Integer pair = a == b ? Integer.valueOf(a) : pairs.get(((long) a << 32) | b);
            addOnce(pair == null ? NOTHING : pair, common);
          }
        }
      }
      return ValueNumbering.this.value(common);
    }

    private void addAll(int[] numbers, Map<Integer, IntList> index, IntList common) {
      for (int number : numbers) {
        IntList found = index.get(number);
        for (int i = 0; found != null && i < found.size(); i++) {
          addOnce(found.get(i), common);
        }
        if (number < firstNumber) {
          addOnce(number, common); // an unchanged variable may have it
        }
      }
    }

    private void addOnce(int number, IntList list) {
      if (number == NOTHING || list.size() >= MAXIMUM_ALTERNATIVES) {
        return;
      }
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) == number) {
          return;
        }
      }
      list.add(number);
    }
  }

  /**
   * Whether every pair that was related at the mark is still related.
   *
   * @param originals the original variables that may have changed, even if none has changed on this
   *     path
   * @param written the rewritten variables that may have changed
   * @param firstOwned no other variable has numbers from this one on
   */
  boolean holdsSince(int mark, IntList originals, IntList written, int firstOwned) {
    ChangedSince changed = changesSince(mark);
    images.clear();
    for (int i = 0; i < written.size(); i++) {
      int v = written.get(i);
      addImage(changed.rewrittenBefore(v, rewritten[v]), rewritten[v]);
    }
    for (int i = 0; i < changed.size(); i++) {
      if (!changed.isOriginal(i)) {
        int after = rewritten[changed.variable(i)];
        addImage(changed.previous(i), after);
        if (changed.previous(i) < firstOwned && changed.previous(i) != after) {
          return false;
        }
      }
    }
    for (int i = 0; i < changed.size(); i++) {
      if (changed.isOriginal(i)
          && !holdsImages(changed.previous(i), original[changed.variable(i)], firstOwned)) {
        return false;
      }
    }
    // An unchanged original variable may share its number with a rewritten variable that has
    // changed.
    for (int i = 0; i < originals.size(); i++) {
      int u = originals.get(i);
      if (!holdsImages(changed.originalBefore(u, original[u]), original[u], firstOwned)) {
        return false;
      }
    }
    return true;
  }

  private void addImage(int before, int after) {
    int known = images.get(before);
    if (known == NumberMap.ABSENT) {
      images.put(before, after);
    } else if (known != after) {
      images.put(before, SEVERAL);
    }
  }

  private boolean holdsImages(int before, int after, int firstOwned) {
    if (after == ANYTHING || before == NOTHING) {
      return true;
    }
    if (before == ANYTHING) {
      return false;
    }
    if (before > 0) {
      return holdsImage(before, after, firstOwned);
    }
    for (int number : numbers(before)) {
      if (!holdsImage(number, after, firstOwned)) {
        return false;
      }
    }
    return true;
  }

  private boolean holdsImage(int number, int after, int firstOwned) {
    int image = images.get(number);
    boolean held = image != NumberMap.ABSENT || number < firstOwned;
    int expected = image == NumberMap.ABSENT ? number : image;
    return !held || (expected != SEVERAL && holds(after, expected));
  }

  /** Captures the numbers of the given variables, for {@link #restore(Snapshot)}. */
  Snapshot capture(int[] originals, int[] rewrittens) {
    int[] values = new int[originals.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = original[originals[i]];
    }
    int[] numbers = new int[rewrittens.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = rewritten[rewrittens[i]];
    }
    return new Snapshot(originals, rewrittens, values, numbers);
  }

  /**
   * Restores captured variables with new numbers, so that they are related among themselves only.
   */
  void restore(Snapshot snapshot) {
    images.clear();
    for (int i = 0; i < snapshot.rewrittens.length; i++) {
      setRewritten(snapshot.rewrittens[i], renumber(snapshot.numbers[i]));
    }
    for (int i = 0; i < snapshot.originals.length; i++) {
      setOriginal(snapshot.originals[i], renumberOriginal(snapshot.values[i]));
    }
  }

  /** The values of some variables at the end of a body. */
  static final class Snapshot {
    private final int[] originals;
    private final int[] rewrittens;
    private final int[] values;
    private final int[] numbers;

    private Snapshot(int[] originals, int[] rewrittens, int[] values, int[] numbers) {
      this.originals = originals;
      this.rewrittens = rewrittens;
      this.values = values;
      this.numbers = numbers;
    }
  }
}
