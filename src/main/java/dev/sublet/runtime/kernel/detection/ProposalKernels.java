package dev.sublet.runtime.kernel.detection;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Floats;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Ints;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Operators on the regions that a network proposes, in float32.
 *
 * <p>Source: {@code generate_proposals_op.cc}, {@code generate_proposals_v2_op.cc}, {@code
 * collect_fpn_proposals_op.h}, {@code distribute_fpn_proposals_op.h}, {@code bbox_util.h} of Paddle
 * 2.3. The source does not define the order of regions with equal scores; here the lower index
 * comes first.
 */
public final class ProposalKernels {

  /** The limit on the logarithm of a box's growth: the logarithm of 1000 / 16. */
  private static final float LARGEST_GROWTH = (float) Math.log(1000.0 / 16.0);

  private ProposalKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("collect_fpn_proposals", ProposalKernels::collect);
    kernels.kernel("distribute_fpn_proposals", ProposalKernels::distribute);
    kernels.kernel("generate_proposals", call -> generate(call, "ImInfo", true));
    kernels.kernel("generate_proposals_v2", call -> generate(call, "ImShape", false));
  }

  private static OperatorResult generate(OperatorCall call, String images, boolean isScaled) {
    Tensor scores = call.input("Scores");
    float[] scoreMaps = Boxes.floats(call, "Scores", 4);
    float[] deltaMaps = Boxes.floats(call, "BboxDeltas", 4);
    float[] anchors = Boxes.floats(call, "Anchors", 4);
    float[] variances = Boxes.floats(call, "Variances", 4);
    Tensor info = call.input(images);
    float[] imageInfo = Boxes.floats(call, images, 2);
    int kinds = (int) scores.size(1);
    int area = (int) (scores.size(2) * scores.size(3));
    int count = kinds * area;
    if (deltaMaps.length != 4 * scoreMaps.length
        || anchors.length != 4 * count
        || variances.length != anchors.length
        || info.size(0) != scores.size(0)
        || info.size(1) < (isScaled ? 3 : 2)) {
      throw new OperatorException("the shapes of scores, deltas, anchors and images do not fit");
    }
    List<Float> boxes = new ArrayList<>();
    List<Float> probabilities = new ArrayList<>();
    int[] counts = new int[(int) scores.size(0)];
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    for (int image = 0; image < counts.length; image++) {
      float[] ofImage = byAnchor(scoreMaps, image, kinds, area, 1);
      float[] deltas = byAnchor(deltaMaps, image, kinds, area, 4);
      int row = image * (int) info.size(1);
      float[] size = {imageInfo[row], imageInfo[row + 1], isScaled ? imageInfo[row + 2] : 1};
      counts[image] =
          new Proposals(call, ofImage, deltas, anchors, variances, size)
              .addTo(boxes, probabilities);
      offsets.add(probabilities.size());
    }
    ImmutableList<ImmutableLongArray> lod = ImmutableList.of(offsets.build());
    int total = probabilities.size();
    OperatorResult.Builder result =
        OperatorResult.builder()
            .put(
                "RpnRois",
                new LodTensor(
                    Tensor.of(ImmutableLongArray.of(total, 4), Floats.toArray(boxes)), lod))
            .put(
                "RpnRoiProbs",
                new LodTensor(
                    Tensor.of(ImmutableLongArray.of(total, 1), Floats.toArray(probabilities)),
                    lod));
    if (call.wants("RpnRoisNum")) {
      result.put(
          "RpnRoisNum", LodTensor.of(Tensor.of(ImmutableLongArray.of(counts.length), counts)));
    }
    return result.build();
  }

  /**
   * Returns the values of one image, {@code width} per anchor. The kinds of anchors are the outer
   * axis of the maps, but the inner axis of the anchors.
   */
  private static float[] byAnchor(float[] maps, int image, int kinds, int area, int width) {
    float[] values = new float[kinds * area * width];
    for (int i = 0; i < values.length; i++) {
      int anchor = i / width;
      int map = (image * kinds + anchor % kinds) * width + i % width;
      values[i] = maps[map * area + anchor / kinds];
    }
    return values;
  }

  /** The proposals of one image. */
  private static final class Proposals {

    private final OperatorCall call;
    private final float[] scores;
    private final float[] deltas;
    private final float[] anchors;
    private final float[] variances;

    /** The height and width of the image, and its scale. */
    private final float[] size;

    private final float offset;

    Proposals(
        OperatorCall call,
        float[] scores,
        float[] deltas,
        float[] anchors,
        float[] variances,
        float[] size) {
      this.call = call;
      this.scores = scores;
      this.deltas = deltas;
      this.anchors = anchors;
      this.variances = variances;
      this.size = size;
      this.offset = call.flag("pixel_offset", true) ? 1 : 0;
    }

    int addTo(List<Float> boxes, List<Float> probabilities) {
      List<Integer> order = Suppression.byScore(scores, 0, scores.length, Float.NEGATIVE_INFINITY);
      int before = (int) call.integer("pre_nms_topN", 6000);
      if (before > 0 && before < order.size()) {
        order = order.subList(0, before);
      }
      float[] corners = new float[deltas.length];
      List<Integer> kept = new ArrayList<>();
      for (int box : order) {
        decode(box, corners);
        if (isLargeEnough(4 * box, corners)) {
          kept.add(box);
        }
      }
      if (kept.isEmpty()) {
        boxes.addAll(List.of(0f, 0f, 0f, 0f));
        probabilities.add(0f);
        return 1;
      }
      float threshold = (float) call.real("nms_thresh", 0.5);
      if (threshold <= 0 && order.size() < scores.length) {
        throw new OperatorException("the best proposals without suppression have no order");
      }
      if (threshold > 0) {
        Suppression suppression = new Suppression(threshold, (float) call.real("eta", 1), offset);
        kept = suppression.select(corners, kept);
        int after = (int) call.integer("post_nms_topN", 1000);
        kept = after > 0 && after < kept.size() ? kept.subList(0, after) : kept;
      }
      for (int box : kept) {
        for (int i = 0; i < 4; i++) {
          boxes.add(corners[4 * box + i]);
        }
        probabilities.add(scores[box]);
      }
      return kept.size();
    }

    /** Moves and scales an anchor, and clips it to the image. */
    private void decode(int box, float[] corners) {
      for (int axis = 0; axis < 2; axis++) {
        int at = 4 * box + axis;
        float extent = anchors[at + 2] - anchors[at] + offset;
        float center = anchors[at] + 0.5f * extent;
        float boxCenter = variances[at] * deltas[at] * extent + center;
        float growth = Math.min(variances[at + 2] * deltas[at + 2], LARGEST_GROWTH);
        float boxExtent = (float) StrictMath.exp(growth) * extent;
        float limit = size[1 - axis] - offset;
        corners[at] = Boxes.clamp(boxCenter - boxExtent / 2, 0, limit);
        corners[at + 2] = Boxes.clamp(boxCenter + boxExtent / 2 - offset, 0, limit);
      }
    }

    private boolean isLargeEnough(int at, float[] corners) {
      float smallest = Math.max((float) call.real("min_size", 0.1), 1);
      for (int axis = 0; axis < 2; axis++) {
        float low = corners[at + axis];
        float high = corners[at + axis + 2];
        float extent = high - low + offset;
        if (offset == 0) {
          if (extent < smallest) {
            return false;
          }
          continue;
        }
        float center = low + extent / 2;
        if ((high - low) / size[2] + 1 < smallest || center > size[1 - axis]) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * A region of one level.
   *
   * @param image the index of its image
   * @param level the index of its input
   * @param index its row in this input
   * @param score its score
   */
  private record ScoredRegion(int image, int level, int index, float score) {}

  private static OperatorResult collect(OperatorCall call) {
    ImmutableList<LodTensor> rois = call.arguments("MultiLevelRois");
    ImmutableList<LodTensor> scores = call.arguments("MultiLevelScores");
    ImmutableList<LodTensor> numbers = call.arguments("MultiLevelRoIsNum");
    List<ScoredRegion> regions = new ArrayList<>();
    if (rois.isEmpty()
        || scores.size() != rois.size()
        || (!numbers.isEmpty() && numbers.size() != rois.size())) {
      throw new OperatorException(
          rois.size() + " levels of regions, but " + scores.size() + " of scores");
    }
    int images = 0;
    for (int level = 0; level < rois.size(); level++) {
      long count = scores.get(level).tensor().length();
      ImmutableLongArray offsets =
          numbers.isEmpty()
              ? Rows.offsets(rois.get(level))
              : Boxes.offsets(numbers.get(level).tensor(), count);
      if (level > 0 && images != offsets.length() - 1) {
        throw new OperatorException("the levels are not of as many images");
      }
      checkScores(offsets, count);
      images = offsets.length() - 1;
      for (int image = 0; image < images; image++) {
        for (long i = offsets.get(image); i < offsets.get(image + 1); i++) {
          float score = scores.get(level).tensor().floats()[(int) i];
          regions.add(new ScoredRegion(image, level, (int) i, score));
        }
      }
    }
    regions.sort(Comparator.comparingDouble(region -> -region.score()));
    if (call.integer("post_nms_topN", 1000) < 1) {
      throw new OperatorException("a post_nms_topN of " + call.integer("post_nms_topN", 1000));
    }
    int limit = (int) Math.min(regions.size(), call.integer("post_nms_topN", 1000));
    regions = new ArrayList<>(regions.subList(0, limit));
    regions.sort(Comparator.comparingInt(ScoredRegion::image));
    List<Tensor> rows = new ArrayList<>();
    int[] counts = new int[images];
    for (ScoredRegion region : regions) {
      Tensor level = rois.get(region.level()).tensor();
      rows.add(Slices.rows(level, region.index(), region.index() + 1));
      counts[region.image()]++;
    }
    Tensor none = Slices.rows(rois.get(0).tensor(), 0, 0);
    Tensor all = rows.isEmpty() ? none : Slices.join(rows);
    ImmutableLongArray offsets =
        Boxes.offsets(Tensor.of(ImmutableLongArray.of(images), counts), regions.size());
    OperatorResult.Builder result =
        OperatorResult.builder().put("FpnRois", new LodTensor(all, ImmutableList.of(offsets)));
    if (call.wants("RoisNum")) {
      result.put("RoisNum", LodTensor.of(Tensor.of(ImmutableLongArray.of(images), counts)));
    }
    return result.build();
  }

  private static void checkScores(ImmutableLongArray offsets, long count) {
    if (offsets.length() == 0 || offsets.get(offsets.length() - 1) > count) {
      throw new OperatorException("sequences at " + offsets + " for " + count + " scores");
    }
  }

  private static OperatorResult distribute(OperatorCall call) {
    Tensor rois = call.input("FpnRois");
    float[] boxes = Boxes.corners(call, "FpnRois");
    ImmutableLongArray images =
        call.has("RoisNum")
            ? Boxes.offsets(call.input("RoisNum"), rois.size(0))
            : Boxes.offsets(call, "FpnRois");
    int low = (int) call.integer("min_level", 2);
    int high = (int) call.integer("max_level", 5);
    List<List<Integer>> levels = new ArrayList<>();
    List<int[]> counts = new ArrayList<>();
    for (int level = low; level <= high; level++) {
      levels.add(new ArrayList<>());
      counts.add(new int[images.length() - 1]);
    }
    for (int image = 0; image + 1 < images.length(); image++) {
      for (int i = (int) images.get(image); i < images.get(image + 1); i++) {
        int level = Ints.constrainToRange(levelOf(call, boxes, 4 * i), low, high) - low;
        levels.get(level).add(i);
        counts.get(level)[image]++;
      }
    }
    OperatorResult.Builder result = OperatorResult.builder();
    int[] restore = new int[(int) rois.size(0)];
    int position = 0;
    for (int level = 0; level < levels.size(); level++) {
      for (int row : levels.get(level)) {
        restore[row] = position++;
      }
      Tensor numbers = Tensor.of(ImmutableLongArray.of(images.length() - 1), counts.get(level));
      Tensor picked =
          Slices.pick(
              rois,
              ImmutableLongArray.copyOf(levels.get(level).stream().mapToLong(Integer::longValue)));
      result.put(
          "MultiFpnRois",
          new LodTensor(picked, ImmutableList.of(Boxes.offsets(numbers, rois.size(0)))));
      if (call.wants("MultiLevelRoIsNum")) {
        result.put("MultiLevelRoIsNum", LodTensor.of(numbers));
      }
    }
    Tensor restored = Tensor.of(ImmutableLongArray.of(restore.length, 1), restore);
    return result.put("RestoreIndex", LodTensor.of(restored)).build();
  }

  private static int levelOf(OperatorCall call, float[] boxes, int at) {
    float offset = call.flag("pixel_offset", true) ? 1 : 0;
    float size = (float) Math.sqrt(Boxes.area(boxes, at, offset));
    float relative = size / call.integer("refer_scale", 224) + 1e-6f;
    double level = Math.log(relative) / Math.log(2) + call.integer("refer_level", 4);
    return (int) Math.floor(level);
  }
}
