package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.emit.NestCut.Dimension;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.SplitProof;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the nests of a function with known extents: those of products into tiles, and all of them
 * into parts that may run at the same time, if that is proved ({@link SplitProof}).
 *
 * <p>A function has as many parts as threads, but each part has at least {@value #LEAST_WORK} steps
 * of work. Each nest is divided along the dimension whose pieces the parts share most evenly.
 * O(nests · loops · accesses²).
 */
final class NestCuts {

  /** About 10 microseconds, which is more than threads need to begin. */
  private static final long LEAST_WORK = 16_384;

  /** The products that take the time of one step. */
  private static final long PRODUCTS = 16;

  private final List<DivisibleNest> nests;
  private final int parts;

  private NestCuts(List<DivisibleNest> nests, int parts) {
    this.nests = nests;
    this.parts = parts;
  }

  /** A nest, and its dimensions that may be divided, the best one first. */
  private record DivisibleNest(BoundNest nest, NestCut whole, List<NestCut> choices) {}

  /**
   * Returns a cut for each nest, in order; all have the same number of parts.
   *
   * @param given the outputs that have values before the call
   */
  static ImmutableList<NestCut> of(
      MicroProgram program, ImmutableSet<String> given, Tiling tiling) {
    List<DivisibleNest> nests = new ArrayList<>();
    ImmutableList.Builder<NestCut> whole = ImmutableList.builder();
    long work = 0;
    boolean isSplit = tiling.threads() > 1 && !hasZeros(program, given);
    for (MicroFunction function : program.functions()) {
      for (LoopBlock block : function.blocks()) {
        ProductTile tile = tiling.strip() == 0 ? null : ProductTile.of(program, block);
        NestCut cut = NestCut.whole(tile, tiling);
        whole.add(cut);
        if (isSplit) {
          BoundNest nest = new BoundNest(ProductTile.extents(program), block);
          nests.add(new DivisibleNest(nest, cut, new ArrayList<>()));
          work += work(nest, tile);
        }
      }
    }
    int parts = (int) Math.min(tiling.threads(), work / LEAST_WORK);
    ImmutableList<NestCut> cuts = parts < 2 ? null : new NestCuts(nests, parts).find();
    return cuts == null ? whole.build() : cuts;
  }

  /** Whether the function clears a tensor before its nests, which parts cannot share. */
  private static boolean hasZeros(MicroProgram program, ImmutableSet<String> given) {
    for (TensorDeclaration tensor : UnwrittenTensors.of(program)) {
      if (!given.contains(tensor.name())) {
        return true;
      }
    }
    return false;
  }

  private static long work(BoundNest nest, @Nullable ProductTile tile) {
    long work = 1;
    for (int depth = 0; depth < nest.loops(); depth++) {
      Long iterations = nest.iterations(depth);
      work = Math.multiplyExact(work, iterations == null ? 1 : iterations);
    }
    return tile == null ? work : work / PRODUCTS;
  }

  /**
   * Returns cuts whose parts may run at the same time: with the best dimension of each nest, or
   * with loops of the same extent in all nests; null if there are none.
   */
  private @Nullable ImmutableList<NestCut> find() {
    Set<Long> extents = new LinkedHashSet<>();
    for (DivisibleNest nest : nests) {
      addChoices(nest);
      if (nest.choices().isEmpty()) {
        return null;
      }
    }
    for (NestCut cut : nests.get(0).choices()) {
      if (cut.loop() >= 0) {
        extents.add(cut.pieces(nests.get(0).nest()));
      }
    }
    ImmutableList.Builder<NestCut> best = ImmutableList.builder();
    nests.forEach(nest -> best.add(nest.choices().get(0)));
    if (isProved(best.build())) {
      return best.build();
    }
    for (long extent : extents) {
      ImmutableList<NestCut> cuts = loopsOf(extent);
      if (cuts.size() == nests.size() && isProved(cuts)) {
        return cuts;
      }
    }
    return null;
  }

  private ImmutableList<NestCut> loopsOf(long extent) {
    ImmutableList.Builder<NestCut> cuts = ImmutableList.builder();
    for (DivisibleNest nest : nests) {
      nest.choices().stream()
          .filter(cut -> cut.loop() >= 0 && cut.pieces(nest.nest()) == extent)
          .findFirst()
          .ifPresent(cuts::add);
    }
    return cuts.build();
  }

  private boolean isProved(ImmutableList<NestCut> cuts) {
    ImmutableList.Builder<SplitProof.Split> splits = ImmutableList.builder();
    for (int i = 0; i < cuts.size(); i++) {
      splits.add(new SplitProof.Split(nests.get(i).nest(), cuts.get(i).loop()));
    }
    return SplitProof.holds(splits.build());
  }

  private void addChoices(DivisibleNest nest) {
    ProductTile tile = nest.whole().tile();
    for (int loop : SplitProof.candidates(nest.nest())) {
      if (tile == null || tile.opens(loop)) {
        add(nest, nest.whole().divided(parts, Dimension.LOOP, loop));
      }
    }
    if (tile != null) {
      add(nest, nest.whole().divided(parts, Dimension.LANES, /* depth= */ -1));
      if (tile.plane() == null) {
        add(nest, nest.whole().divided(parts, Dimension.ROWS, /* depth= */ -1));
      }
    }
    // The sort is stable: of equal dimensions the outer one comes first.
    nest.choices().sort((a, b) -> Double.compare(evenness(nest, b), evenness(nest, a)));
  }

  private void add(DivisibleNest nest, NestCut cut) {
    // The last strip of a direct tile overlaps the one before it, which must be of the same part.
    long least = cut.dimension() == Dimension.LOOP ? 2 : parts;
    if (cut.pieces(nest.nest()) >= least) {
      nest.choices().add(cut);
    }
  }

  /** Returns the part of the time in which all threads work. */
  private double evenness(DivisibleNest nest, NestCut cut) {
    long pieces = cut.pieces(nest.nest());
    return (double) pieces / (NestCut.ceil(pieces, parts) * parts);
  }
}
