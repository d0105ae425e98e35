package dev.sublet.testing.damage;

import java.util.BitSet;
import java.util.List;

/** Which parts of a tree are kept, asked for one after the other in preorder. */
final class KeptParts {

  private final BitSet kept;
  private final boolean keepsAll;
  private int next;

  private KeptParts(BitSet kept, boolean keepsAll) {
    this.kept = kept;
    this.keepsAll = keepsAll;
  }

  /** Every part is kept, in order to count them. */
  static KeptParts all() {
    return new KeptParts(new BitSet(), /* keepsAll= */ true);
  }

  static KeptParts of(List<Integer> numbers) {
    BitSet kept = new BitSet();
    numbers.forEach(kept::set);
    return new KeptParts(kept, /* keepsAll= */ false);
  }

  /** Whether the next part is kept. */
  boolean keepsNext() {
    return kept.get(next++) || keepsAll;
  }

  /** How many parts were asked for. */
  int passed() {
    return next;
  }
}
