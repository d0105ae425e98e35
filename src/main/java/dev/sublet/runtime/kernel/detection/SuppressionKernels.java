package dev.sublet.runtime.kernel.detection;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Ints;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Operators that select detected boxes class by class, in float32. Boxes have two corners; polygons
 * with more points are not supported.
 *
 * <p>Source: {@code multiclass_nms_op.cc} of Paddle 2.3.
 */
public final class SuppressionKernels {

  private SuppressionKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("multiclass_nms", call -> multiclass(call, false));
    kernels.kernel("multiclass_nms2", call -> multiclass(call, true));
    kernels.kernel("multiclass_nms3", call -> multiclass(call, true));
  }

  /**
   * A selected box.
   *
   * @param label its class
   * @param box its index among the image's boxes
   * @param score its score
   */
  private record Detection(int label, int box, float score) {}

  private static OperatorResult multiclass(OperatorCall call, boolean tellsIndices) {
    Tensor boxes = call.input("BBoxes");
    float[] corners = Boxes.floats(call, "BBoxes", 3);
    if (boxes.size(2) != 4) {
      throw new OperatorException("boxes of " + boxes.size(2) + " numbers");
    }
    boolean byImage = call.input("Scores").rank() == 3;
    float[] scores = Boxes.floats(call, "Scores", byImage ? 3 : 2);
    int classes = (int) call.input("Scores").size(1);
    ImmutableLongArray starts = starts(call, byImage);
    List<float[]> rows = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    int[] counts = new int[starts.length() - 1];
    for (int image = 0; image < counts.length; image++) {
      int start = (int) starts.get(image);
      int count = (int) starts.get(image + 1) - start;
      checkPart(call, start, count, classes, byImage);
      Image part = Image.of(corners, scores, start, count, classes, byImage);
      for (Detection detection : select(call, part, !byImage)) {
        float[] box = part.corners(detection.label());
        int at = 4 * detection.box();
        rows.add(
            new float[] {
              detection.label(), detection.score(), box[at], box[at + 1], box[at + 2], box[at + 3]
            });
        indices.add(
            byImage
                ? start + detection.box()
                : (start + detection.box()) * classes + detection.label());
        counts[image]++;
      }
    }
    return result(call, rows, indices, counts, tellsIndices);
  }

  private static void checkPart(
      OperatorCall call, long start, long count, long classes, boolean byImage) {
    long boxes = (start + count) * (byImage ? 1 : classes);
    if (count < 0
        || 4 * boxes > call.input("BBoxes").length()
        || (start + count) * classes > call.input("Scores").length()) {
      throw new OperatorException(
          "BBoxes " + call.shape("BBoxes") + " for Scores " + call.shape("Scores"));
    }
  }

  /** Returns the offsets at which the boxes of each image begin. */
  private static ImmutableLongArray starts(OperatorCall call, boolean byImage) {
    ImmutableLongArray.Builder starts = ImmutableLongArray.builder().add(0);
    long end = 0;
    if (byImage) {
      Tensor scores = call.input("Scores");
      for (int i = 0; i < scores.size(0); i++) {
        end += scores.size(2);
        starts.add(end);
      }
      return starts.build();
    }
    if (!call.has("RoisNum")) {
      return Boxes.offsets(call, "BBoxes");
    }
    for (int i = 0; i < call.input("RoisNum").length(); i++) {
      end += call.input("RoisNum").getLong(i);
      starts.add(end);
    }
    return starts.build();
  }

  /** The boxes and scores of one image, by class. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Image(List<float[]> boxes, List<float[]> scores, int count) {

    static Image of(
        float[] corners, float[] scores, int start, int count, int classes, boolean byImage) {
      List<float[]> boxes = new ArrayList<>();
      List<float[]> scoresByClass = new ArrayList<>();
      for (int c = 0; c < classes; c++) {
        float[] ofClass = new float[4 * count];
        float[] scoresOfClass = new float[count];
        for (int i = 0; i < count; i++) {
          int box = byImage ? start + i : (start + i) * classes + c;
          System.arraycopy(corners, 4 * box, ofClass, 4 * i, 4);
          scoresOfClass[i] =
              byImage ? scores[start * classes + c * count + i] : scores[(start + i) * classes + c];
        }
        boxes.add(ofClass);
        scoresByClass.add(scoresOfClass);
      }
      return new Image(boxes, scoresByClass, count);
    }

    float[] corners(int label) {
      return boxes.get(label);
    }
  }

  private static List<Detection> select(OperatorCall call, Image image, boolean sortsByBox) {
    float threshold = (float) call.real("score_threshold", 0);
    int limit = (int) call.integer("nms_top_k", -1);
    Suppression suppression =
        new Suppression(
            (float) call.real("nms_threshold", 0.3),
            (float) call.real("nms_eta", 1),
            call.flag("normalized", true) ? 0 : 1);
    List<Detection> detections = new ArrayList<>();
    for (int c = 0; c < image.scores().size(); c++) {
      if (c == call.integer("background_label", 0)) {
        continue;
      }
      float[] scores = image.scores().get(c);
      List<Integer> order = Suppression.byScore(scores, 0, image.count(), threshold);
      if (limit > -1 && limit < order.size()) {
        order = order.subList(0, limit);
      }
      for (int box : suppression.select(image.corners(c), order)) {
        detections.add(new Detection(c, box, scores[box]));
      }
    }
    int kept = (int) call.integer("keep_top_k", -1);
    if (kept > -1 && detections.size() > kept) {
      detections.sort(Comparator.comparingDouble(detection -> -detection.score()));
      detections = new ArrayList<>(detections.subList(0, kept));
      detections.sort(Comparator.comparingInt(Detection::label));
    }
    if (sortsByBox) {
      detections.sort(Comparator.comparingInt(Detection::label).thenComparingInt(Detection::box));
    }
    return detections;
  }

  private static OperatorResult result(
      OperatorCall call,
      List<float[]> rows,
      List<Integer> indices,
      int[] counts,
      boolean tellsIndices) {
    OperatorResult.Builder result = OperatorResult.builder();
    boolean isEmpty = rows.isEmpty() && !tellsIndices;
    float[] elements = new float[isEmpty ? 1 : 6 * rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, elements, 6 * i, 6);
    }
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    for (int count : counts) {
      end += count;
      offsets.add(end);
    }
    ImmutableList<ImmutableLongArray> lod = ImmutableList.of(offsets.build());
    if (isEmpty) {
      // Without any detection, the result is one row with the number -1.
      elements[0] = -1;
      Tensor nothing = Tensor.of(ImmutableLongArray.of(1, 1), elements);
      lod = ImmutableList.of(ImmutableLongArray.of(0, 1));
      return result.put("Out", new LodTensor(nothing, lod)).build();
    }
    Tensor out = Tensor.of(ImmutableLongArray.of(rows.size(), 6), elements);
    result.put("Out", new LodTensor(out, lod));
    if (call.wants("Index")) {
      Tensor index = Tensor.of(ImmutableLongArray.of(rows.size(), 1), Ints.toArray(indices));
      result.put("Index", new LodTensor(index, lod));
    }
    if (call.wants("NmsRoisNum")) {
      result.put(
          "NmsRoisNum", LodTensor.of(Tensor.of(ImmutableLongArray.of(counts.length), counts)));
    }
    return result.build();
  }
}
