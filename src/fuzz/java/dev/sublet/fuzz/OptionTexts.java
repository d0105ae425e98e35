package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.sublet.testing.damage.TextDamage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Options as people write them, right and wrong ones. */
final class OptionTexts {

  /** What never makes an analysis of a small program long. */
  private static final ImmutableList<String> ANALYSIS =
      ImmutableList.of(
          "--reuse-feeds",
          "--batch=3",
          "--place=gpu",
          "--runtime=2.3",
          "--in-place=table",
          "--in-place=none",
          "--json",
          "-v");

  private static final ImmutableList<String> PLANNING =
      ImmutableList.of(
          "--align=256",
          "--align=1",
          "--views=all",
          "--views=none",
          "--loops=unroll",
          "--loops=copy",
          "--loops=smallest",
          "--order=parallel",
          "--hierarchical",
          "--planner=nnc",
          "--planner=search",
          "--planner=path-cover",
          "--planner=stack",
          "--pool=sram:4KiB",
          "--pool=dram");

  /** With values to be damaged; {@code FEED} and {@code SHAPE} are those of a feed. */
  private static final ImmutableList<String> VALUES =
      ImmutableList.of(
          "--shape=FEED=SHAPE",
          "--shape=FEED=SHAPE",
          "--shape=FEED=1,2,3",
          "--typical=FEED=SHAPE",
          "--typical=FEED=1,2,3",
          "--lod=FEED=0,3,4",
          "--lod=FEED=0,2/0,1,3",
          "--value=FEED=1",
          "--value=FEED=0,2,true",
          "--batch=3",
          "--align=4KiB",
          "--capacity=256KiB",
          "--pool=sram:4KiB",
          "--keep=a,FEED",
          "--fetch=FEED",
          "--skip-opt-set=${case}/keep.txt",
          "--planner=best",
          "--loops=unroll",
          "--order=parallel",
          "--views=all",
          "--place=gpu",
          "--runtime=2.3.2",
          "--buffer-order=area",
          "--in-place=verified");

  private static final ImmutableList<String> RUNNING =
      ImmutableList.of(
          "--feed=FEED=values:1,2.5,-3",
          "--feed=FEED=random:7",
          "--feed=FEED=${case}/keep.txt",
          "--params=${case}");

  private static final ImmutableList<String> CHECKING =
      ImmutableList.of("--max-arena=cpu:64KiB", "--max-growth=2%", "--max-arena=1KiB");

  private static final int MOST_BYTES = 100_000;

  private OptionTexts() {}

  /** A few right ones. */
  static List<String> right(SplittableRandom random, boolean plans) {
    List<String> options = new ArrayList<>();
    for (int k = random.nextInt(4); k > 0; k--) {
      ImmutableList<String> from = plans && random.nextInt(3) > 0 ? PLANNING : ANALYSIS;
      String option = from.get(random.nextInt(from.size()));
      String name = option.replaceFirst("=.*", "=");
      options.removeIf(other -> other.startsWith(name) && !name.equals("--pool="));
      options.add(option);
    }
    return options;
  }

  /** Those without which a verb does nothing. */
  static ImmutableList<String> demanded(String verb) {
    return switch (verb) {
      case "check" -> ImmutableList.of("--max-arena=1MiB");
      case "run" -> ImmutableList.of("--max-steps=300");
      default -> ImmutableList.of();
    };
  }

  /** One to three damaged ones for a verb. */
  static List<String> damaged(String verb, String feed, String shape, SplittableRandom random) {
    List<String> from = new ArrayList<>(VALUES);
    if (verb.equals("run")) {
      from.addAll(RUNNING);
    }
    if (verb.equals("check")) {
      from.addAll(CHECKING);
    }
    List<String> options = new ArrayList<>();
    for (int k = random.nextInt(3); k >= 0; k--) {
      String option = from.get(random.nextInt(from.size()));
      int equals = option.indexOf('=') + 1;
      byte[] value =
          option.substring(equals).replace("FEED", feed).replace("SHAPE", shape).getBytes(UTF_8);
      for (int i = random.nextInt(3); i > 0; i--) {
        byte[] damaged = new TextDamage().apply(value, random);
        value = damaged.length < MOST_BYTES ? damaged : value;
      }
      options.add(option.substring(0, equals) + new String(value, UTF_8));
    }
    return options;
  }
}
