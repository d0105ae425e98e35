package dev.sublet.placement.testing;

import com.google.common.base.Splitter;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.List;

/**
 * Problems as lines {@code size begin-end begin-end …}, one a buffer. An interval may have a
 * window, {@code begin-end@low:high}; words {@code align=N} and {@code pin=N} behind the size are
 * the buffer's own.
 */
public final class ProblemText {

  private ProblemText() {}

  public static PlanningProblem problem(long alignment, String... buffers) {
    PlanningProblem.Builder builder = PlanningProblem.builder(alignment);
    for (String buffer : buffers) {
      addBuffer(builder, alignment, Splitter.on(' ').splitToList(buffer));
    }
    return builder.build();
  }

  private static void addBuffer(
      PlanningProblem.Builder builder, long commonAlignment, List<String> words) {
    long size = Long.parseLong(words.get(0));
    long alignment = commonAlignment;
    long pin = PlanningProblem.NOT_PINNED;
    int next = 1;
    for (; words.get(next).contains("="); next++) {
      List<String> setting = Splitter.on('=').splitToList(words.get(next));
      if (setting.get(0).equals("align")) {
        alignment = Long.parseLong(setting.get(1));
      } else {
        pin = Long.parseLong(setting.get(1));
      }
    }
    builder.addBuffer(size, alignment, pin);
    for (String word : words.subList(next, words.size())) {
      List<String> parts = Splitter.onPattern("[-@:]").splitToList(word);
      int begin = Integer.parseInt(parts.get(0));
      int end = Integer.parseInt(parts.get(1));
      if (parts.size() == 2) {
        builder.addInterval(begin, end);
      } else {
        builder.addInterval(begin, end, Long.parseLong(parts.get(2)), Long.parseLong(parts.get(3)));
      }
    }
  }

  /** The problem in this notation: what a failing property prints. */
  public static String print(PlanningProblem problem) {
    StringBuilder text = new StringBuilder();
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      text.append(problem.size(buffer)).append(" align=").append(problem.alignment(buffer));
      if (problem.isPinned(buffer)) {
        text.append(" pin=").append(problem.pin(buffer));
      }
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        text.append(' ').append(problem.begin(i)).append('-').append(problem.end(i));
        if (problem.low(i) != 0 || problem.high(i) != problem.size(buffer)) {
          text.append('@').append(problem.low(i)).append(':').append(problem.high(i));
        }
      }
      text.append('\n');
    }
    return text.toString();
  }
}
