package dev.sublet.fuzz;

import com.google.common.base.CharMatcher;
import dev.sublet.program.Program;
import dev.sublet.testing.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random programs with random options, against the simulator and the validators: {@code
 * ProgramCampaign MINUTES SEED [THREADS]}. Case i of a campaign is that of seed {@code SEED + i}.
 * Prints each kind of fault once, with the case; a small program that shows it goes to {@code
 * target/fuzz}, in the form of {@code testdata/pinned}. Exit code 1 if anything was found.
 */
public final class ProgramCampaign {

  private static final Path FOLDER = Path.of("target", "fuzz");

  private final Instant end;
  private final long firstSeed;
  private final AtomicLong next = new AtomicLong();

  /** How often each kind of fault was seen, and how many cases of each kind there were. */
  private final Map<String, Integer> faults = new TreeMap<>();

  private final Map<ProgramKind, Integer> cases = new TreeMap<>();

  private ProgramCampaign(Duration length, long firstSeed) {
    this.end = Instant.now().plus(length);
    this.firstSeed = firstSeed;
  }

  /** Runs a campaign. */
  public static void main(String[] arguments) throws InterruptedException {
    double minutes = Double.parseDouble(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
    ProgramCampaign campaign =
        new ProgramCampaign(Duration.ofMillis((long) (minutes * 60_000)), seed);
    campaign.run(threads);
    System.out.println("cases " + campaign.cases + ", faults " + campaign.faults);
    System.exit(campaign.faults.isEmpty() ? 0 : 1);
  }

  private void run(int threads) throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(null, this::search, "campaign " + i, /* stackSize= */ 64 << 20);
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  private void search() {
    while (Instant.now().isBefore(end)) {
      ProgramCase each = ProgramCase.of(firstSeed + next.getAndIncrement());
      Program program = each.program();
      Optional<String> fault = faultOf(each, program);
      boolean isNew;
      synchronized (this) {
        cases.merge(each.kind(), 1, Integer::sum);
        isNew = fault.isPresent() && faults.merge(kindOf(fault.get()), 1, Integer::sum) == 1;
      }
      if (isNew) {
        report(each, program, fault.orElseThrow());
      }
    }
  }

  private static Optional<String> faultOf(ProgramCase each, Program program) {
    try {
      return each.fault(program);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      return Optional.of("mutants: " + String.valueOf(e).replace('\n', ' '));
    }
  }

  /** A fault without its names and numbers: two of one kind are likely to have one cause. */
  private static String kindOf(String fault) {
    String line = fault.lines().findFirst().orElse("");
    String first = line.contains(" other values: ") ? line.substring(0, line.indexOf('[')) : line;
    return CharMatcher.inRange('0', '9').removeFrom(first.replaceAll("'[^']*'", "_"));
  }

  private void report(ProgramCase each, Program program, String fault) {
    String kind = kindOf(fault);
    Program small =
        ProgramShrinker.shrink(
            program, other -> faultOf(each, other).filter(f -> kindOf(f).equals(kind)).isPresent());
    Path file = FOLDER.resolve(each.kind() + "_" + each.seed() + ".program");
    String text =
        "# "
            + fault.replace("\n", "\n# ")
            + "\n# case: "
            + each
            + "\n# options: "
            + each.options()
            + "\n"
            + ProgramText.print(small);
    synchronized (this) {
      System.out.println(each + "\n  " + fault.lines().findFirst().orElse("") + "\n  " + file);
      try {
        Files.createDirectories(FOLDER);
        Files.writeString(file, text);
      } catch (IOException e) {
        System.out.println("  cannot be written: " + e);
      }
    }
  }
}
