package dev.sublet.runtime.micro.emit;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.LoopGroup;
import dev.sublet.runtime.micro.run.bind.PlaneForm;
import org.jspecify.annotations.Nullable;

/**
 * How the code of one nest is cut: into tiles of products, and into parts that run at the same
 * time. Each part has a share of one dimension.
 *
 * @param tile the tile of products; null for plain loops
 * @param tiling the size of panels
 * @param parts the number of parts
 * @param dimension the dimension that is divided
 * @param loop the depth of the loop that is divided, for {@link Dimension#LOOP}; otherwise -1
 */
record NestCut(
    @Nullable ProductTile tile, Tiling tiling, int parts, Dimension dimension, int loop) {

  private static final long WIDE_VECTORS = 8;

  /** A dimension of a nest. */
  enum Dimension {
    /** None: the nest is one part. */
    NONE,
    /** The iterations of a loop. */
    LOOP,
    /** The lanes of a tile; the rows of planes. */
    LANES,
    /** The rows of a tile. */
    ROWS
  }

  NestCut {
    checkArgument((dimension == Dimension.NONE) == (parts == 1), "%s parts", parts);
    checkArgument((dimension == Dimension.LOOP) == (loop >= 0), "loop %s", loop);
  }

  /** Returns a nest in one part. */
  static NestCut whole(@Nullable ProductTile tile, Tiling tiling) {
    return new NestCut(tile, tiling, /* parts= */ 1, Dimension.NONE, /* loop= */ -1);
  }

  /** Returns the same nest in parts. */
  NestCut divided(int count, Dimension by, int depth) {
    return new NestCut(tile, tiling, count, by, depth);
  }

  /** Returns the tile. */
  ProductTile product() {
    return requireNonNull(tile);
  }

  /** Returns the lanes of a strip. */
  int strip() {
    return tiling.strip();
  }

  /** Whether the factors are in the order of {@link PackedRows}. */
  boolean isPacked() {
    return tiling.packed().contains(product().form().factor().access().tensor());
  }

  /**
   * Whether the tile reads its lanes where they are. Where a panel would only be faster, the
   * smallest strip stands for none.
   */
  boolean isDirect() {
    return product().directStep() >= 0 && !(product().isPaged() && strip() > ProductTile.LANES);
  }

  /**
   * Returns the lanes of a panel: those of a strip, but not more than a part has. A wide panel has
   * an odd number of vectors: with an even one, few of its points fit into a cache at the same
   * time.
   */
  int panelLanes() {
    long vectors = ceil(product().form().lanes().count(), ProductTile.LANES);
    long most = dimension == Dimension.LANES ? ceil(vectors, parts) : vectors;
    long odd = most >= WIDE_VECTORS ? most | 1 : most;
    return (int) Math.min(strip(), odd * ProductTile.LANES);
  }

  /** Returns how many iterations of the outermost loop over points a panel has room for. */
  long panelIterations() {
    LoopGroup points = product().form().points();
    long bytes = points.count() / points.extent(0) * Float.BYTES * panelLanes();
    return Math.min(points.extent(0), Math.max(1, tiling.most() / bytes));
  }

  /** Whether a panel is filled several times, each time with some of the points. */
  boolean isShort() {
    return panelIterations() < product().form().points().extent(0);
  }

  /** Returns the bytes of the panels of all parts. */
  long panelBytes() {
    if (tile == null) {
      return 0;
    }
    if (tile.plane() != null) {
      return parts * tile.plane().bytes(strip());
    }
    if (isDirect()) {
      return 0;
    }
    LoopGroup points = tile.form().points();
    long panelPoints = points.count() / points.extent(0) * panelIterations();
    return panelPoints * Float.BYTES * panelLanes() * parts;
  }

  /**
   * Returns the number of pieces of a dimension that can be distributed: iterations, vectors of
   * lanes, bands of rows, blocks of rows; 0 if it cannot be divided into enough parts.
   */
  long pieces(BoundNest nest) {
    return switch (dimension) {
      case NONE -> 1;
      case LOOP -> requireNonNull(nest.iterations(loop));
      case LANES -> lanePieces(product());
      case ROWS -> ceil(product().form().rows().count(), ProductTile.MOST_ROWS);
    };
  }

  private long lanePieces(ProductTile product) {
    PlaneForm plane = product.plane();
    if (plane != null) {
      return ceil(plane.height(), plane.band(strip()));
    }
    long lanes = product.form().lanes().count();
    return isDirect() ? lanes / ProductTile.MOST_LANES : ceil(lanes, ProductTile.LANES);
  }

  /** Returns the line that opens a loop of the nest. */
  String loop(int depth, String index, String begin, String end) {
    String from = begin;
    String to = end;
    if (loop == depth) {
      from = share(end, "part");
      to = share(end, "(part + 1)");
    }
    return "for (int64_t %s = %s; %s < %s; %s++) {".formatted(index, from, index, to, index);
  }

  /**
   * Returns the first index of a part.
   *
   * @param pieces the expression for the number of pieces
   * @param size the expression for the extent of a piece
   */
  String begin(String pieces, String size) {
    return share(pieces, "part") + " * " + size;
  }

  /** Returns the index after the last one of a part; the last piece may be smaller. */
  String end(String pieces, String size, long count) {
    String share = share(pieces, "(part + 1)") + " * " + size;
    return "part == " + (parts - 1) + " ? " + count + " : " + share;
  }

  private String share(String pieces, String part) {
    return pieces + " * " + part + " / " + parts;
  }

  /** Returns a quotient, rounded up. */
  static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
