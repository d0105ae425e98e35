package dev.sublet.testing.simulate;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which operator of the original program each operator of a rewritten one is.
 *
 * <p>A rewrite keeps a block's operators in their order, except that it may add or drop {@code
 * delete_var} and {@code assign}. These need no identity: the first has no value and the second
 * passes one on. So the k-th of the other operators of a block is the k-th of the original block.
 *
 * <p>Operators may also have moved within their blocks: see {@link ValuePairs}. If operators of one
 * form have moved, the forms do not show it.
 */
final class Correspondence {

  private final Operation[][] originals;
  private final long[][] identities;

  private Correspondence(int blocks) {
    originals = new Operation[blocks][];
    identities = new long[blocks][];
  }

  /**
   * The ways in which the operators of two programs may correspond: in order, if their forms are
   * the same in order; and by the values that they read, if that pairs other operators up.
   * O(arguments), times the operators of a block that have one type.
   *
   * @throws IllegalArgumentException if one is not a rewritten form of the other
   */
  static ImmutableList<Correspondence> all(Program rewritten, Program original) {
    checkArgument(
        rewritten.blocks().size() == original.blocks().size(), "the programs' blocks differ");
    Optional<Map<Operation, Operation>> inOrder = inOrder(rewritten, original);
    Map<Operation, Operation> byValues = ValuePairs.of(rewritten, original);
    ImmutableList.Builder<Correspondence> all = ImmutableList.builder();
    inOrder.ifPresent(partners -> all.add(of(partners, rewritten, original)));
    if (inOrder.isEmpty() || !inOrder.get().equals(byValues)) {
      all.add(of(byValues, rewritten, original));
    }
    return all.build();
  }

  /** The operators of a program as they are. O(operators). */
  static Correspondence ofItself(Program program) {
    return of(inOrder(program, program).orElseThrow(), program, program);
  }

  /**
   * Pairs the operators of a program up with those of one whose blocks have the same operators,
   * some of them in another order. O(operators).
   *
   * @param orders by block that has another order: its operators
   */
  static Correspondence ofMoved(Program original, ImmutableMap<Integer, ImmutableIntArray> orders) {
    Correspondence result = ofItself(original);
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

  /** Pairs operators that have a partner in the original up; the others stand for themselves. */
  private static Correspondence of(
      Map<Operation, Operation> partners, Program rewritten, Program original) {
    Correspondence result = new Correspondence(rewritten.blocks().size());
    for (Block block : rewritten.blocks()) {
      List<Operation> kept = withIdentity(original.block(block.index()));
      Map<Operation, Integer> places = new HashMap<>();
      for (Operation operation : kept) {
        places.put(operation, places.size() + 1);
      }
      int count = block.operations().size();
      Operation[] originals = block.operations().toArray(new Operation[0]);
      long[] identities = new long[count];
      for (Operation operation : withIdentity(block)) {
        Operation partner = partners.get(operation);
        checkArgument(partner != null, "%s is not in the original", operation);
        originals[operation.index()] = partner;
        long place = Values.mix(block.index(), places.getOrDefault(partner, 0));
        identities[operation.index()] = Values.mix(place, Values.of(operation.type()));
      }
      result.originals[block.index()] = originals;
      result.identities[block.index()] = identities;
    }
    return result;
  }

  /** Returns the partners of operators in order; empty if some have another form. */
  private static Optional<Map<Operation, Operation>> inOrder(Program rewritten, Program original) {
    Map<Operation, Operation> partners = new HashMap<>();
    boolean isInOrder = true;
    for (Block block : rewritten.blocks()) {
      List<Operation> others = withIdentity(block);
      List<Operation> kept = withIdentity(original.block(block.index()));
      checkArgument(others.size() == kept.size(), "block %s: other operators", block.index());
      for (int i = 0; i < kept.size(); i++) {
        isInOrder &= haveSameForm(others.get(i), kept.get(i));
        partners.put(others.get(i), kept.get(i));
      }
    }
    return isInOrder ? Optional.of(partners) : Optional.empty();
  }

  private static List<Operation> withIdentity(Block block) {
    return block.operations().stream().filter(Correspondence::hasIdentity).toList();
  }

  /** Returns what equal operators have in common. */
  static List<Object> text(Operation operation) {
    List<Object> text = new ArrayList<>(List.of(operation.type(), operation.attributes()));
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
  static boolean haveSameForm(Operation operation, Operation original) {
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
