package dev.sublet.runtime.micro.emit;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;

/**
 * How the nests of a function are cut.
 *
 * @param strip the lanes of the panels of products, a multiple of 16; 0 for plain loops
 * @param threads the most parts of a function that run at the same time
 * @param packed the inputs whose elements are in the order of {@link PackedRows}
 * @param most the most bytes of a panel; if they are too few for all points of a nest, the panel is
 *     filled several times
 */
public record Tiling(int strip, int threads, ImmutableSet<String> packed, long most) {

  /** Plain loops in one part. */
  public static final Tiling PLAIN = new Tiling(/* strip= */ 0, /* threads= */ 1);

  /** Creates a tiling without packed inputs, and panels for all points. */
  public Tiling(int strip, int threads) {
    this(strip, threads, ImmutableSet.of(), Long.MAX_VALUE);
  }

  /**
   * Throws {@link IllegalArgumentException} if the strip is negative or no multiple of 16, or there
   * is no thread.
   */
  public Tiling {
    checkArgument(strip >= 0 && strip % ProductTile.LANES == 0, "a strip of %s lanes", strip);
    checkArgument(threads >= 1, "%s threads", threads);
    requireNonNull(packed, "packed");
  }

  /** Returns a tiling with other panels. */
  public Tiling withStrip(int lanes) {
    return new Tiling(lanes, threads, packed, most);
  }

  /** Returns a tiling with the narrowest panels, which have at most some number of bytes. */
  public Tiling withShortPanels(long bytes) {
    return new Tiling(ProductTile.LANES, threads, packed, bytes);
  }

  /** Returns a tiling with other packed inputs. */
  public Tiling withPacked(ImmutableSet<String> inputs) {
    return new Tiling(strip, threads, inputs, most);
  }
}
