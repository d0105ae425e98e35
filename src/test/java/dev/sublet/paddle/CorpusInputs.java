package dev.sublet.paddle;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.paddle.runtime.Feeds;
import java.util.Objects;
import java.util.Optional;

/** What each program of the corpus is fed with: one input of an ordinary size. */
public final class CorpusInputs {

  private static final ImmutableMap<String, Feeds> BY_PROGRAM =
      ImmutableMap.<String, Feeds>builder()
          .put("clas_huxj", image("x", 224, 224))
          .put("luong_infer", image("x", 224, 224))
          .put("ocr_rec_ultralight23", image("x", 32, 100))
          .put("ocr_samouch", image("x", 320, 320))
          .put("paddledet_tt8000", image("image", 300, 300))
          .put(
              "picodet_mainbody",
              image("image", 640, 640).withRow("im_shape", 640, 640).withRow("scale_factor", 1, 1))
          .put("ppyoloe_l", image("image", 640, 640).withRow("scale_factor", 1, 1))
          .put(
              "sketch2wireframe",
              image("image", 320, 320)
                  .withRow("im_info", 320, 320, 1)
                  .withRow("im_shape", 320, 320, 1))
          .put("slanet_ch", image("x", 488, 488))
          .put("t66y", image("image", 250, 250))
          .buildOrThrow();

  /** Other shapes than those above, for programs that take others: another size, or two images. */
  private static final ImmutableMap<String, Feeds> OTHERS_BY_PROGRAM =
      ImmutableMap.<String, Feeds>builder()
          .put("clas_huxj", Feeds.none().withImage("x", 2, 3, 224, 224))
          .put("luong_infer", Feeds.none().withImage("x", 2, 3, 224, 224))
          .put("ocr_rec_ultralight23", Feeds.none().withImage("x", 2, 3, 32, 168))
          .put("ocr_samouch", Feeds.none().withImage("x", 1, 3, 256, 416))
          .put(
              "sketch2wireframe",
              image("image", 256, 384)
                  .withRow("im_info", 256, 384, 1)
                  .withRow("im_shape", 256, 384, 1))
          .put("t66y", Feeds.none().withImage("image", 3, 3, 250, 250))
          .buildOrThrow();

  private CorpusInputs() {}

  /** The programs that take feeds of several shapes. */
  public static ImmutableSet<String> programsOfSeveralShapes() {
    return OTHERS_BY_PROGRAM.keySet();
  }

  /** Feeds of other shapes for one of {@link #programsOfSeveralShapes}. */
  public static Feeds otherOf(String program) {
    return Objects.requireNonNull(OTHERS_BY_PROGRAM.get(program), program);
  }

  /** The feeds of a program of the corpus, by its folder's name; empty if none are known. */
  public static Optional<Feeds> of(String program) {
    return Optional.ofNullable(BY_PROGRAM.get(program));
  }

  private static Feeds image(String name, long height, long width) {
    return Feeds.none().withImage(name, 1, 3, height, width);
  }
}
