package dev.sublet.paddle.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** This process's resident memory, as Linux counts it, in kB. */
final class ResidentMemory {

  private static final Path STATUS = Path.of("/proc/self/status");

  private ResidentMemory() {}

  /** Lets the peak begin anew at the present level, which is returned. */
  static long restartPeak() throws IOException {
    Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    return read("VmRSS:");
  }

  /** The highest level since {@link #restartPeak}. */
  static long peak() throws IOException {
    return read("VmHWM:");
  }

  private static long read(String key) throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith(key)) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException(STATUS + " has no line " + key);
  }
}
