package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.testing.damage.Damage;
import dev.sublet.testing.damage.DeltaDebugging;
import dev.sublet.testing.damage.TextDamage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Damaged inputs of every reader. Whatever a file or an option holds, a command ends soon, with a
 * documented exit code and one line if that is an error, and leaves nothing half-written behind.
 */
final class ReaderCampaign implements Campaign {

  private static final int TESTS = 3000;

  /** Each takes ten seconds. */
  private static final int TESTS_OF_ALARMS = 20;

  private final ReaderSeeds seeds;

  ReaderCampaign() throws IOException {
    this.seeds = new ReaderSeeds(TestData.read());
  }

  @Override
  public String name() {
    return "readers";
  }

  @Override
  public List<Fault> tryCase(long seed, Counts counts) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Optional<Seed> made = seeds.make(random);
    if (made.isEmpty()) {
      counts.add("nothing to damage");
      return List.of();
    }
    Invocation damaged = made.get().damaged(random);
    WatchedRun.Outcome outcome = run(damaged);
    counts.add(damaged.reader());
    counts.add("exit " + outcome.exitCode());
    return fault(seed, damaged, outcome).stream().toList();
  }

  private static WatchedRun.Outcome run(Invocation invocation) throws Exception {
    Path folder = Scratch.empty();
    invocation.write(folder);
    byte[] input = invocation.files().getOrDefault(Invocation.STDIN, new byte[0]);
    return WatchedRun.of(invocation.arguments(folder), input, invocation.bytes());
  }

  private static Optional<Fault> fault(long seed, Invocation invocation, WatchedRun.Outcome outcome)
      throws IOException {
    Optional<Fault> fault = Judge.judge(seed, invocation, outcome);
    if (fault.isPresent() || outcome.exitCode() < 2) {
      return fault;
    }
    TreeSet<String> left = new TreeSet<>();
    try (Stream<Path> entries = Files.list(Scratch.folder())) {
      entries.forEach(entry -> left.add(entry.getFileName().toString()));
    }
    invocation.files().keySet().forEach(file -> left.remove(file.replaceFirst("/.*", "")));
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Fault(
                seed,
                "files left after exit " + outcome.exitCode() + " of " + invocation.verb(),
                left + " left by " + invocation.arguments(Scratch.folder())));
  }

  @Override
  public ImmutableMap<String, byte[]> minimized(Fault fault) throws Exception {
    if (fault.shape().startsWith("the fuzzer")) {
      return ImmutableMap.of();
    }
    SplittableRandom random = new SplittableRandom(fault.seed());
    Seed seed = seeds.make(random).orElseThrow();
    Invocation smaller = seed.damaged(random);
    boolean isSlow = fault.shape().startsWith("hangs") || fault.shape().startsWith("allocates");
    DeltaDebugging search = new DeltaDebugging(isSlow ? TESTS_OF_ALARMS : TESTS);
    smaller = withFewerOptions(smaller, search, fault);
    for (Map.Entry<String, Damage> way : ImmutableSet.copyOf(seed.damages().entries())) {
      smaller = reduced(smaller, way.getKey(), way.getValue(), search, fault);
    }
    return files(smaller);
  }

  private static Invocation withFewerOptions(
      Invocation invocation, DeltaDebugging search, Fault fault) {
    Invocation fewer =
        invocation.withOptions(
            search.minimize(
                invocation.options(), kept -> shows(invocation.withOptions(kept), fault)));
    for (int i = 0; i < fewer.options().size(); i++) {
      int option = i;
      Invocation before = fewer;
      String text = before.options().get(option);
      byte[] shorter =
          new TextDamage()
              .reduce(
                  text.getBytes(UTF_8),
                  search,
                  kept -> shows(withOption(before, option, new String(kept, UTF_8)), fault));
      fewer = withOption(before, option, new String(shorter, UTF_8));
    }
    return fewer;
  }

  private static Invocation withOption(Invocation invocation, int index, String option) {
    List<String> options = new ArrayList<>(invocation.options());
    options.set(index, option);
    return invocation.withOptions(options);
  }

  private static Invocation reduced(
      Invocation invocation, String file, Damage damage, DeltaDebugging search, Fault fault) {
    byte[] bytes =
        damage.reduce(
            invocation.file(file), search, kept -> shows(invocation.withFile(file, kept), fault));
    return invocation.withFile(file, bytes);
  }

  private static boolean shows(Invocation invocation, Fault fault) {
    try {
      return fault(fault.seed(), invocation, run(invocation))
          .filter(other -> other.shape().equals(fault.shape()))
          .isPresent();
    } catch (Exception e) {
      return false; // What is left is no command.
    }
  }

  /** As a folder of {@code testdata/errors} has them. */
  private static ImmutableMap<String, byte[]> files(Invocation invocation) {
    return ImmutableMap.<String, byte[]>builder()
        .putAll(invocation.files())
        .put("verb", (invocation.verb() + "\n").getBytes(UTF_8))
        .put("options", (String.join("\n", invocation.options()) + "\n").getBytes(UTF_8))
        .buildOrThrow();
  }
}
