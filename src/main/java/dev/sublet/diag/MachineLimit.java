package dev.sublet.diag;

/**
 * Describes the Java errors that mean that the machine is too small for the input. They are not
 * bugs; the exit code is 4, as for all valid input that cannot be handled.
 */
public final class MachineLimit {

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private MachineLimit() {}

  /** Returns a diagnostic that names the exhausted resource and the remedy. */
  public static Diagnostic describe(VirtualMachineError error) {
    return new Diagnostic(Diagnostic.Kind.UNSUPPORTED, Location.nowhere(), message(error));
  }

  private static String message(VirtualMachineError error) {
    if (error instanceof StackOverflowError) {
      return "the stack is exhausted: blocks, graphs or expressions are nested too deeply";
    }
    String what = String.valueOf(error.getMessage());
    if (what.contains("array")) {
      return "out of memory: something takes more than the 2 GiB of the longest array, which no"
          + " larger heap allows";
    }
    long heap = Runtime.getRuntime().maxMemory();
    return "out of memory: the Java heap of "
        + heap / MIB
        + " MiB is too small; enlarge it, for example with SUBLET_JAVA_OPTS=-Xmx"
        + (2 * heap / GIB + 1)
        + "g";
  }
}
