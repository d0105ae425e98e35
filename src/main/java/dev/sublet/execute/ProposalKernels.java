package dev.sublet.execute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code generate_proposals}, and the collection and distribution of its boxes over levels of a
 * feature pyramid. FLOAT32 only; each image is a sequence of rows.
 */
final class ProposalKernels {

  /** Extents grow by no more than this factor's logarithm. */
  private static final float MOST = (float) Math.log(1000.0 / 16);

  private ProposalKernels() {}

  static void register(Kernels.Builder kernels) {
    kernels.kernel("collect_fpn_proposals", ProposalKernels::collect);
    kernels.kernel("distribute_fpn_proposals", ProposalKernels::distribute);
    kernels.kernel("generate_proposals", ProposalKernels::generate);
  }

  private static OperatorResult generate(OperatorCall call) {
    Tensor scores = call.input("Scores");
    int images = (int) scores.size(0);
    int count = scores.length() / images;
    List<float[]> boxes = new ArrayList<>();
    List<Float> kept = new ArrayList<>();
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    for (int image = 0; image < images; image++) {
      propose(call, image, count, boxes, kept);
      offsets.add(boxes.size());
    }
    float[] rows = new float[4 * boxes.size()];
    float[] ownScores = new float[boxes.size()];
    for (int i = 0; i < ownScores.length; i++) {
      System.arraycopy(boxes.get(i), 0, rows, 4 * i, 4);
      ownScores[i] = kept.get(i);
    }
    Tensor out = Tensor.of(ImmutableLongArray.of(ownScores.length, 4), rows);
    Tensor probabilities = Tensor.of(ImmutableLongArray.of(ownScores.length, 1), ownScores);
    ImmutableLongArray lod = offsets.build();
    return OperatorResult.builder()
        .put("RpnRois", Rows.cut(out, lod))
        .put("RpnRoiProbs", Rows.cut(probabilities, lod))
        .put("RpnRoisNum", LodTensor.of(counts(lod)))
        .build();
  }

  private static Tensor counts(ImmutableLongArray offsets) {
    int[] counts = new int[offsets.length() - 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (int) (offsets.get(i + 1) - offsets.get(i));
    }
    return Tensor.of(ImmutableLongArray.of(counts.length), counts);
  }

  /** The best boxes of an image: decoded, cut off at its border, large enough, apart. */
  private static void propose(
      OperatorCall call, int image, int count, List<float[]> boxes, List<Float> kept) {
    float[] info = Arrays.copyOfRange(Boxes.floats(call.input("ImInfo")), image * 3, image * 3 + 3);
    float[] scores = scores(call, image, count);
    int[] best = Boxes.best(scores, IntStream.range(0, count).toArray());
    int before = (int) call.integer("pre_nms_topN", 6000);
    best = before > 0 && before < count ? Arrays.copyOf(best, before) : best;
    float[] decoded = new float[4 * count];
    for (int box : best) {
      decode(call, image, box, decoded);
      for (int i = 0; i < 4; i++) {
        float limit = info[i % 2 == 0 ? 1 : 0] - 1;
        decoded[4 * box + i] = Math.max(Math.min(decoded[4 * box + i], limit), 0);
      }
    }
    float least = Math.max((float) call.real("min_size", 0.1), 1);
    best = Arrays.stream(best).filter(box -> isLargeEnough(decoded, box, least, info)).toArray();
    if (best.length == 0) {
      boxes.add(new float[4]);
      kept.add(0f);
      return;
    }
    float threshold = (float) call.real("nms_thresh", 0.5);
    if (threshold > 0) {
      best =
          new Boxes(decoded, /* countsPixels= */ true)
              .suppress(best, threshold, (float) call.real("eta", 1));
      int after = (int) call.integer("post_nms_topN", 1000);
      best = after > 0 && after < best.length ? Arrays.copyOf(best, after) : best;
    }
    for (int box : best) {
      boxes.add(Arrays.copyOfRange(decoded, 4 * box, 4 * box + 4));
      kept.add(scores[box]);
    }
  }

  /** Scores come as [anchor, y, x] and are numbered as anchors are, [y, x, anchor]. */
  private static float[] scores(OperatorCall call, int image, int count) {
    Tensor all = call.input("Scores");
    int anchors = (int) all.size(1);
    int pixels = count / anchors;
    float[] scores = new float[count];
    for (int i = 0; i < count; i++) {
      scores[i] = Boxes.floats(all)[image * count + i % anchors * pixels + i / anchors];
    }
    return scores;
  }

  private static void decode(OperatorCall call, int image, int box, float[] decoded) {
    float[] anchors = Boxes.floats(call.input("Anchors"));
    float[] variances = Boxes.floats(call.input("Variances"));
    Tensor deltas = call.input("BboxDeltas");
    int count = (int) deltas.size(1) / 4;
    int pixels = (int) (deltas.size(2) * deltas.size(3));
    int first = (image * count + box % count) * 4 * pixels + box / count;
    int at = 4 * box;
    for (int axis = 0; axis < 2; axis++) {
      float shift = Boxes.floats(deltas)[first + axis * pixels];
      float growth = Boxes.floats(deltas)[first + (2 + axis) * pixels];
      float extent = anchors[at + 2 + axis] - anchors[at + axis] + 1;
      float center = anchors[at + axis] + 0.5f * extent;
      float ownCenter = variances[at + axis] * shift * extent + center;
      float exponent = Math.min(variances[at + 2 + axis] * growth, MOST);
      float ownExtent = (float) Math.exp(exponent) * extent;
      decoded[at + axis] = ownCenter - ownExtent / 2;
      decoded[at + 2 + axis] = ownCenter + ownExtent / 2 - 1;
    }
  }

  private static boolean isLargeEnough(float[] boxes, int box, float least, float[] info) {
    float width = boxes[4 * box + 2] - boxes[4 * box];
    float height = boxes[4 * box + 3] - boxes[4 * box + 1];
    return width / info[2] + 1 >= least
        && height / info[2] + 1 >= least
        && boxes[4 * box] + (width + 1) / 2 <= info[1]
        && boxes[4 * box + 1] + (height + 1) / 2 <= info[0];
  }

  /**
   * A box of a level.
   *
   * @param image the sequence that it is in
   * @param box its number in its level
   */
  private record Rated(float score, int image, int level, int box) {}

  /** The best boxes of all levels, image by image. */
  private static OperatorResult collect(OperatorCall call) {
    ImmutableList<LodTensor> levels = call.arguments("MultiLevelRois");
    List<Rated> all = new ArrayList<>();
    int images = 0;
    for (int level = 0; level < levels.size(); level++) {
      float[] scores = Boxes.floats(call.arguments("MultiLevelScores").get(level).tensor());
      ImmutableLongArray offsets = images(call, levels.get(level), level, "MultiLevelRoIsNum");
      images = offsets.length() - 1;
      for (int image = 0; image < images; image++) {
        for (int i = (int) offsets.get(image); i < offsets.get(image + 1); i++) {
          all.add(new Rated(scores[i], image, level, i));
        }
      }
    }
    all.sort(Comparator.comparingDouble(rated -> -rated.score()));
    int most = (int) Math.min(call.integer("post_nms_topN", 1000), all.size());
    List<Rated> best = new ArrayList<>(all.subList(0, most));
    best.sort(Comparator.comparingInt(Rated::image));
    float[] rows = new float[4 * most];
    long[] offsets = new long[images + 1];
    for (int i = 0; i < most; i++) {
      Rated rated = best.get(i);
      float[] boxes = Boxes.floats(levels.get(rated.level()).tensor());
      System.arraycopy(boxes, 4 * rated.box(), rows, 4 * i, 4);
      offsets[rated.image() + 1] = i + 1L;
    }
    for (int image = 0; image < images; image++) {
      offsets[image + 1] = Math.max(offsets[image], offsets[image + 1]);
    }
    ImmutableLongArray lod = ImmutableLongArray.copyOf(offsets);
    return OperatorResult.builder()
        .put("FpnRois", Rows.cut(Tensor.of(ImmutableLongArray.of(most, 4), rows), lod))
        .put("RoisNum", LodTensor.of(counts(lod)))
        .build();
  }

  /** Where the boxes of each image begin: as a tensor of numbers says, or by sequences. */
  private static ImmutableLongArray images(
      OperatorCall call, LodTensor boxes, int argument, String numbers) {
    if (!call.has(numbers)) {
      return Rows.offsets(boxes);
    }
    Tensor counts = call.arguments(numbers).get(argument).tensor();
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    for (int i = 0; i < counts.length(); i++) {
      end += counts.getLong(i);
      offsets.add(end);
    }
    return offsets.build();
  }

  /** Boxes by the level that their size belongs to, and where each went. */
  private static OperatorResult distribute(OperatorCall call) {
    LodTensor all = call.lodInput("FpnRois");
    ImmutableLongArray offsets = images(call, all, 0, "RoisNum");
    float[] boxes = Boxes.floats(all.tensor());
    int least = (int) call.integer("min_level", 2);
    int most = (int) call.integer("max_level", 5);
    Boxes measured = new Boxes(boxes, call.flag("pixel_offset", true));
    int[] levels = new int[boxes.length / 4];
    for (int i = 0; i < levels.length; i++) {
      float size = (float) Math.sqrt(measured.area(i)) / call.integer("refer_scale", 224);
      double level = Math.log(size + 1e-6f) / Math.log(2) + call.integer("refer_level", 4);
      levels[i] = Math.min(most, Math.max((int) Math.floor(level), least));
    }
    OperatorResult.Builder result = OperatorResult.builder();
    int[] places = new int[levels.length];
    int next = 0;
    for (int level = least; level <= most; level++) {
      ImmutableLongArray.Builder rows = ImmutableLongArray.builder();
      ImmutableLongArray.Builder own = ImmutableLongArray.builder().add(0);
      int first = next;
      for (int image = 0; image < offsets.length() - 1; image++) {
        for (int i = (int) offsets.get(image); i < offsets.get(image + 1); i++) {
          if (levels[i] == level) {
            rows.add(i);
            places[i] = next++;
          }
        }
        own.add(next - first);
      }
      ImmutableLongArray lod = own.build();
      result.put("MultiFpnRois", Rows.cut(Rows.gather(all.tensor(), rows.build()), lod));
      result.put("MultiLevelRoIsNum", LodTensor.of(counts(lod)));
    }
    Tensor restore = Tensor.of(ImmutableLongArray.of(places.length, 1), places);
    return result.put("RestoreIndex", LodTensor.of(restore)).build();
  }
}
