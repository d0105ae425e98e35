package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All that was found, each fault once, with files that show it. */
final class Faults {

  private final Path folder;
  private final PrintStream out;

  /** How often, by campaign and shape. */
  private final Map<String, Integer> counts = new TreeMap<>();

  private final Set<Path> used = new HashSet<>();

  Faults(Path folder, PrintStream out) {
    this.folder = folder;
    this.out = out;
  }

  /** Takes a fault down; one that is new is made smaller, printed and written. */
  void add(Campaign campaign, Fault fault) throws Exception {
    synchronized (counts) {
      if (counts.merge(campaign.name() + ": " + fault.shape(), 1, Integer::sum) > 1) {
        return;
      }
    }
    String told =
        String.format(
            "FOUND by %s: %s%n  again: mvn -Pfuzz verify -Dfuzz.only=%s -Dfuzz.case=%d%n",
            campaign.name(), fault.message(), campaign.name(), fault.seed());
    synchronized (out) {
      out.println(told);
    }
    Path files = newFolder(campaign.name() + "-" + fault.seed());
    write(files, ImmutableMap.of("fault.txt", told.getBytes(UTF_8)));
    write(files, campaign.minimized(fault));
    synchronized (out) {
      out.println("  smaller: " + files);
    }
  }

  /** A case may show several faults. */
  private synchronized Path newFolder(String name) throws IOException {
    Path files = folder.resolve(name);
    for (int i = 2; used.contains(files); i++) {
      files = folder.resolve(name + "-" + i);
    }
    used.add(files);
    return Files.createDirectories(files);
  }

  private static void write(Path folder, Map<String, byte[]> files) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }

  boolean isEmpty() {
    synchronized (counts) {
      return counts.isEmpty();
    }
  }

  /** Each fault's shape, and how often it was seen. */
  @Override
  public String toString() {
    synchronized (counts) {
      StringBuilder lines = new StringBuilder();
      counts.forEach((shape, count) -> lines.append(String.format("%,7d × %s%n", count, shape)));
      return lines.toString();
    }
  }
}
