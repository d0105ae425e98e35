package dev.sublet.testing.simulate;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Lists;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;

/**
 * Which operator of the original program each operator of a rewritten one is.
 *
 * <p>A rewrite keeps a block's operators in their order, except that it may add or drop {@code
 * delete_var} and {@code assign}. These need no identity: the first has no value and the second
 * passes one on. So the k-th of the other operators of a block is the k-th of the original block.
 *
 * <p>If these differ in type, attributes or numbers of arguments, or if the block has the operators
 * of the original block in another order, operators have moved. Then an operator is an equal one of
 * the original; or else the first one that is left with its type, attributes and numbers of
 * arguments; or else with its type and numbers.
 */
final class Correspondence {

  private final Operation[][] originals;
  private final long[][] identities;

  private Correspondence(int blocks) {
    originals = new Operation[blocks][];
    identities = new long[blocks][];
  }

  /**
   * Pairs the operators of two programs up. O(operators).
   *
   * @throws IllegalArgumentException if one is not a rewritten form of the other
   */
  static Correspondence of(Program rewritten, Program original) {
    checkArgument(
        rewritten.blocks().size() == original.blocks().size(), "the programs' blocks differ");
    Correspondence result = new Correspondence(rewritten.blocks().size());
    for (Block block : rewritten.blocks()) {
      result.pairUp(block, original.block(block.index()));
    }
    return result;
  }

  /**
   * Pairs the operators of a program up with those of one whose blocks have the same operators,
   * some of them in another order. O(operators).
   *
   * @param orders by block that has another order: its operators
   */
  static Correspondence ofMoved(Program original, ImmutableMap<Integer, ImmutableIntArray> orders) {
    Correspondence result = of(original, original);
    orders.forEach(
        (block, order) -> {
          Operation[] operations = result.originals[block].clone();
          long[] names = result.identities[block].clone();
          for (int i = 0; i < names.length; i++) {
            result.originals[block][i] = operations[order.get(i)];
            result.identities[block][i] = names[order.get(i)];
          }
        });
    return result;
  }

  private void pairUp(Block rewritten, Block original) {
    List<Operation> kept = new ArrayList<>();
    for (Operation operation : original.operations()) {
      if (hasIdentity(operation)) {
        kept.add(operation);
      }
    }
    List<Operation> moved = new ArrayList<>();
    for (Operation operation : rewritten.operations()) {
      if (hasIdentity(operation)) {
        moved.add(operation);
      }
    }
    checkArgument(moved.size() == kept.size(), "block %s: other operators", rewritten.index());
    int[] places = places(moved, kept);
    Operation[] partners = new Operation[rewritten.operations().size()];
    long[] names = new long[partners.length];
    int next = 0;
    int number = 0;
    for (Operation operation : rewritten.operations()) {
      Operation partner = operation;
      if (hasIdentity(operation)) {
        partner = kept.get(places[next]);
        number = places[next++] + 1;
      }
      partners[operation.index()] = partner;
      long place = Values.mix(rewritten.index(), number);
      names[operation.index()] = Values.mix(place, Values.of(operation.type()));
    }
    originals[rewritten.index()] = partners;
    identities[rewritten.index()] = names;
  }

  /** Returns for each operator of a rewritten block the place of its partner. */
  private static int[] places(List<Operation> moved, List<Operation> kept) {
    int[] places = new int[moved.size()];
    boolean isInOrder = true;
    for (int i = 0; i < places.length; i++) {
      places[i] = i;
      isInOrder &= haveSameForm(moved.get(i), kept.get(i));
    }
    if (isInOrder && !areMoved(moved, kept)) {
      return places;
    }
    Arrays.fill(places, -1);
    pair(moved, kept, Correspondence::text, places);
    pair(moved, kept, Correspondence::form, places);
    pair(moved, kept, Correspondence::counts, places);
    for (int i = 0; i < places.length; i++) {
      checkArgument(places[i] >= 0, "%s is not in the original", moved.get(i));
    }
    return places;
  }

  /** Whether a list has the operators of another one, with the same names, in another order. */
  private static boolean areMoved(List<Operation> moved, List<Operation> kept) {
    List<List<Object>> texts = Lists.transform(moved, Correspondence::text);
    List<List<Object>> originals = Lists.transform(kept, Correspondence::text);
    return !texts.equals(originals)
        && ImmutableMultiset.copyOf(texts).equals(ImmutableMultiset.copyOf(originals));
  }

  /** Pairs each operator that is left up with the first one that is left and has the same key. */
  private static void pair(
      List<Operation> moved,
      List<Operation> kept,
      Function<Operation, List<Object>> key,
      int[] places) {
    BitSet taken = new BitSet();
    Arrays.stream(places).filter(place -> place >= 0).forEach(taken::set);
    ListMultimap<List<Object>, Integer> left = LinkedListMultimap.create();
    for (int i = 0; i < places.length; i++) {
      if (!taken.get(i)) {
        left.put(key.apply(kept.get(i)), i);
      }
    }
    for (int i = 0; i < places.length; i++) {
      List<Integer> candidates = left.get(key.apply(moved.get(i)));
      if (places[i] < 0 && !candidates.isEmpty()) {
        places[i] = candidates.remove(0);
      }
    }
  }

  /** Returns what operators have in common that differ in names and attributes only. */
  private static List<Object> counts(Operation operation) {
    return List.of(operation.type(), operation.inputCount(), operation.outputCount());
  }

  /** Returns what operators have in common that differ in names only. */
  private static List<Object> form(Operation operation) {
    return List.of(
        operation.type(), operation.inputCount(), operation.outputCount(), operation.attributes());
  }

  /** Returns what equal operators have in common. */
  private static List<Object> text(Operation operation) {
    List<Object> text = new ArrayList<>(form(operation));
    for (List<Slot> slots : List.of(operation.inputSlots(), operation.outputSlots())) {
      for (Slot slot : slots) {
        text.add(slot.name());
        for (int i = 0; i < slot.size(); i++) {
          text.add(slot.argument(i));
        }
      }
    }
    return text;
  }

  /** Whether a rewriting may neither add nor drop operators like this one. */
  static boolean hasIdentity(Operation operation) {
    return !operation.type().equals("assign") && !operation.type().equals("delete_var");
  }

  /** Whether operators may be one and the same: strings in attributes may be names. */
  private static boolean haveSameForm(Operation operation, Operation original) {
    List<Attribute> attributes = operation.attributes();
    List<Attribute> others = original.attributes();
    boolean isSame =
        operation.type().equals(original.type())
            && operation.inputCount() == original.inputCount()
            && operation.outputCount() == original.outputCount()
            && attributes.size() == others.size();
    for (int i = 0; isSame && i < attributes.size(); i++) {
      isSame = attributes.get(i).hasSameFurtherFields(others.get(i));
    }
    return isSame;
  }

  /** The operator that this one was in the original program. */
  Operation original(Operation operation) {
    return originals[operation.block()][operation.index()];
  }

  /** A hash that the operator has in common with its original and with no other operator. */
  long identity(Operation operation) {
    return identities[operation.block()][operation.index()];
  }
}
