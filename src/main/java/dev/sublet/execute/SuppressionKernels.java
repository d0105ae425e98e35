package dev.sublet.execute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code multiclass_nms} in its three forms: for each image and class the best boxes that do not
 * overlap, then the best of all classes. Boxes of four numbers, FLOAT32 only.
 */
final class SuppressionKernels {

  private final OperatorCall call;
  private final Tensor boxes;
  private final Tensor scores;

  /** Whether every class has boxes of its own, and images are sequences of rows. */
  private final boolean perClass;

  private SuppressionKernels(OperatorCall call) {
    this.call = call;
    this.boxes = call.input("BBoxes");
    this.scores = call.input("Scores");
    this.perClass = scores.rank() == 2;
    if (boxes.size(boxes.rank() - 1) != 4) {
      throw new OperatorException("boxes of " + boxes.size(boxes.rank() - 1) + " numbers");
    }
  }

  static void register(Kernels.Builder kernels) {
    kernels.kernel("multiclass_nms", call -> new SuppressionKernels(call).run(false));
    kernels.kernel("multiclass_nms2", call -> new SuppressionKernels(call).run(true));
    kernels.kernel("multiclass_nms3", call -> new SuppressionKernels(call).run(true));
  }

  /**
   * A box found.
   *
   * @param label its class
   * @param box its number in its image
   */
  private record Found(int label, int box, float score) {}

  private OperatorResult run(boolean withIndices) {
    ImmutableLongArray images = images();
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    List<Found> all = new ArrayList<>();
    List<Integer> firstBoxes = new ArrayList<>();
    for (int image = 0; image < images.length() - 1; image++) {
      int first = (int) images.get(image);
      List<Found> found = find(first, (int) images.get(image + 1) - first);
      all.addAll(found);
      firstBoxes.addAll(Collections.nCopies(found.size(), first));
      offsets.add(all.size());
    }
    return result(all, firstBoxes, offsets.build(), withIndices);
  }

  /** Where the boxes of each image begin, and the end of the last. */
  private ImmutableLongArray images() {
    if (perClass && !call.has("RoisNum")) {
      return Rows.offsets(call.lodInput("BBoxes"));
    }
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    long count = perClass ? call.input("RoisNum").length() : boxes.size(0);
    for (int i = 0; i < count; i++) {
      end += perClass ? call.input("RoisNum").getLong(i) : boxes.size(1);
      offsets.add(end);
    }
    return offsets.build();
  }

  /** What is found in an image, class by class; within one the best first, or by number. */
  private List<Found> find(int first, int count) {
    int classes = (int) scores.size(1);
    List<Found> found = new ArrayList<>();
    for (int label = 0; label < classes; label++) {
      if (label != call.integer("background_label", 0)) {
        found.addAll(findClass(label, first, count));
      }
    }
    int most = (int) call.integer("keep_top_k", -1);
    if (most < 0 || found.size() <= most) {
      return found;
    }
    found.sort(Comparator.comparingDouble(f -> -f.score()));
    List<Found> best = new ArrayList<>(found.subList(0, most));
    Comparator<Found> byClass = Comparator.comparingInt(Found::label);
    best.sort(perClass ? byClass.thenComparingInt(Found::box) : byClass);
    return best;
  }

  private List<Found> findClass(int label, int first, int count) {
    float[] own = new float[count];
    float[] ownBoxes = new float[4 * count];
    for (int i = 0; i < count; i++) {
      own[i] = Boxes.floats(scores)[scorePlace(label, first, count, i)];
      System.arraycopy(Boxes.floats(boxes), 4 * boxPlace(label, first + i), ownBoxes, 4 * i, 4);
    }
    float least = (float) call.real("score_threshold", 0);
    int[] candidates =
        Boxes.best(own, IntStream.range(0, count).filter(i -> own[i] > least).toArray());
    long most = call.integer("nms_top_k", -1);
    if (most > -1 && most < candidates.length) {
      candidates = Arrays.copyOf(candidates, (int) most);
    }
    int[] kept =
        new Boxes(ownBoxes, !call.flag("normalized", true))
            .suppress(
                candidates,
                (float) call.real("nms_threshold", 0.3),
                (float) call.real("nms_eta", 1));
    if (perClass) {
      Arrays.sort(kept);
    }
    List<Found> found = new ArrayList<>();
    for (int box : kept) {
      found.add(new Found(label, box, own[box]));
    }
    return found;
  }

  private int scorePlace(int label, int first, int count, int box) {
    int classes = (int) scores.size(1);
    // Scores are [image, class, box], or [box, class].
    return perClass ? (first + box) * classes + label : first * classes + label * count + box;
  }

  private int boxPlace(int label, int box) {
    return perClass ? box * (int) boxes.size(1) + label : box;
  }

  private OperatorResult result(
      List<Found> all, List<Integer> firstBoxes, ImmutableLongArray offsets, boolean withIndices) {
    OperatorResult.Builder result = OperatorResult.builder();
    if (all.isEmpty() && !withIndices) {
      Tensor nothing = Tensor.of(ImmutableLongArray.of(1, 1), -1f);
      return result.put("Out", Rows.cut(nothing, ImmutableLongArray.of(0, 1))).build();
    }
    float[] rows = new float[6 * all.size()];
    int[] indices = new int[all.size()];
    for (int i = 0; i < indices.length; i++) {
      Found found = all.get(i);
      int box = firstBoxes.get(i) + found.box();
      rows[6 * i] = found.label();
      rows[6 * i + 1] = found.score();
      System.arraycopy(Boxes.floats(boxes), 4 * boxPlace(found.label(), box), rows, 6 * i + 2, 4);
      indices[i] = perClass ? box * (int) scores.size(1) + found.label() : box;
    }
    Tensor out = Tensor.of(ImmutableLongArray.of(indices.length, 6), rows);
    Tensor index = Tensor.of(ImmutableLongArray.of(indices.length, 1), indices);
    result.put("Out", Rows.cut(out, offsets));
    if (withIndices) {
      result.put("Index", Rows.cut(index, offsets));
    }
    int[] counts = new int[offsets.length() - 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (int) (offsets.get(i + 1) - offsets.get(i));
    }
    Tensor numbers = Tensor.of(ImmutableLongArray.of(counts.length), counts);
    return result.put("NmsRoisNum", new LodTensor(numbers, ImmutableList.of())).build();
  }
}
