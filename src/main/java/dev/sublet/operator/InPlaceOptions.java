package dev.sublet.operator;

import static java.util.Objects.requireNonNull;

import dev.sublet.operator.spec.InPlaceMode;

/**
 * Which outputs may be computed in the memory of inputs.
 *
 * @param mode which evidence a pair needs
 * @param runtime the version of the runtime, such as 2003002; 0 for any that may run the program:
 *     its own version and every later one
 */
public record InPlaceOptions(InPlaceMode mode, long runtime) {

  /** Throws {@link IllegalArgumentException} if the version is negative. */
  public InPlaceOptions {
    requireNonNull(mode, "mode");
    if (runtime < 0) {
      throw new IllegalArgumentException("runtime " + runtime);
    }
  }

  /** Verified pairs, for any runtime. */
  public static InPlaceOptions defaults() {
    return new InPlaceOptions(InPlaceMode.VERIFIED, /* runtime= */ 0);
  }

  /** The catalog with these pairs on. O(1). */
  public OperatorCatalog catalog() {
    return OperatorCatalog.standard().with(mode, runtime);
  }
}
