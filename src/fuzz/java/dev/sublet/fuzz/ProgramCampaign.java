package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableMap;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Random programs with random options, against the simulator and the validators. A small program
 * that shows a fault comes in the form of {@code testdata/pinned}.
 */
final class ProgramCampaign implements Campaign {

  @Override
  public String name() {
    return "programs";
  }

  @Override
  public List<Fault> tryCase(long seed, Counts counts) {
    ProgramCase each = ProgramCase.of(seed);
    counts.add(each.kind().toString());
    return faultOf(each, each.program(), counts)
        .map(fault -> new Fault(seed, kindOf(fault), each + "\n  " + fault))
        .stream()
        .toList();
  }

  private static Optional<String> faultOf(ProgramCase each, Program program, Counts counts) {
    try {
      return each.fault(program, counts);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      return Optional.of("mutants: " + String.valueOf(e).replace('\n', ' ') + frames(e));
    }
  }

  /** The innermost calls, each on a line. */
  private static String frames(Throwable e) {
    return Arrays.stream(e.getStackTrace())
        .limit(12)
        .map(frame -> "\n    at " + frame)
        .collect(Collectors.joining());
  }

  /** A fault without its names and numbers: two of one kind are likely to have one cause. */
  private static String kindOf(String fault) {
    String line = fault.lines().findFirst().orElse("");
    String first = line.contains(" other values: ") ? line.substring(0, line.indexOf('[')) : line;
    return CharMatcher.inRange('0', '9').removeFrom(first.replaceAll("'[^']*'", "_"));
  }

  @Override
  public ImmutableMap<String, byte[]> minimized(Fault fault) {
    ProgramCase each = ProgramCase.of(fault.seed());
    Program small =
        ProgramShrinker.shrink(each.program(), other -> shows(each, other, fault.shape()));
    String shown = faultOf(each, small, new Counts()).orElse("");
    String text =
        String.format(
            "# %s%n# case: %s%n# options: %s%n%s",
            shown.replace("\n", "\n# "), each, each.options(), ProgramText.print(small));
    return ImmutableMap.of(each.kind() + "_" + each.seed() + ".program", text.getBytes(UTF_8));
  }

  private static boolean shows(ProgramCase each, Program program, String kind) {
    return faultOf(each, program, new Counts()).filter(f -> kindOf(f).equals(kind)).isPresent();
  }
}
