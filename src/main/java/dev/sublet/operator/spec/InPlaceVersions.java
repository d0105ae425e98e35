package dev.sublet.operator.spec;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

/**
 * Decides for which runtimes a listed in-place pair is right.
 *
 * <p>The version in a program's file is that of the Paddle that saved the program. A runtime of the
 * same version or of any later one may execute it. So a pair is on only if it is right for all
 * versions from the program's version up, or for the one runtime that the user names.
 *
 * <p>A listing names the snapshots of Paddle whose own table contains the pair: 1.5, 1.8, 2.0, 2.2,
 * 2.3, 2.4, 2.6 and {@code HEAD} (May 2024, taken as 3.0). {@code 2.2m} (registered by a macro)
 * counts as 2.2 and 2.3: the table of the library 2.3.2 itself contains all these pairs. {@code
 * yaml} (generated code) counts as {@code HEAD}. But a pair listed as {@code yaml} alone counts as
 * listed nowhere, because its only evidence is a generator's default. Any other label, such as
 * {@code 1.8 CUDA}, counts nowhere.
 *
 * <ol>
 *   <li>A version stands for the latest snapshot that is not newer: 2.5.1 for 2.4, 3.1 for {@code
 *       HEAD}. Before 1.5 every pair is off.
 *   <li>From 2.4 on, operators moved to generated code and left the registrations from which the
 *       listings of 2.4 and 2.6 were taken. So in a listing with {@code yaml}, the snapshots 2.4
 *       and 2.6 follow the snapshot before them: {@code 2.3,yaml} is listed at 2.4 and 2.6 too;
 *       {@code 2.2,yaml} is not, because it is not listed at 2.3.
 *   <li>A program without a version (version 0) may run on any version from 1.8 on.
 *   <li>A pair that runs of 2.3.2 have confirmed is right at 2.3 and wherever it is listed. If it
 *       also has the label {@code definition}, it is right from 2.0 on: every kernel computes
 *       element i of the output from element i of the input, so the runs of one version stand for
 *       all versions.
 * </ol>
 */
public final class InPlaceVersions {

  public static final String SINCE_1_5 = "1.5,1.8,2.0,2.2,2.3,2.4,2.6,HEAD";
  public static final String SINCE_1_8 = "1.8,2.0,2.2,2.3,2.4,2.6,HEAD";
  public static final String SINCE_1_8_UNTIL_2_4 = "1.8,2.0,2.2,2.3,2.4";
  public static final String SINCE_1_8_GENERATED = "1.8,2.0,2.2,2.3,2.4,yaml";
  public static final String SINCE_2_2_GENERATED = "2.2,2.3,2.4,yaml";
  public static final String MACRO_GENERATED = "2.2m,yaml,definition";
  public static final String GENERATED_ONLY = "yaml";
  public static final String ELEMENTWISE_GENERATED = "yaml,definition";

  /** The label of a pair that follows from the operator's definition, whatever the kernel. */
  public static final String DEFINITION = "definition";

  private static final ImmutableList<String> LABELS =
      ImmutableList.of("1.5", "1.8", "2.0", "2.2", "2.3", "2.4", "2.6", "HEAD");
  private static final long[] SNAPSHOTS = {
    1_005_000, 1_008_000, 2_000_000, 2_002_000, 2_003_000, 2_004_000, 2_006_000, 3_000_000
  };
  private static final int AT_1_8 = 1;
  private static final int AT_2_0 = 2;
  private static final int AT_2_2 = 3;
  private static final int AT_2_3 = 4;
  private static final int AT_2_4 = 5;
  private static final int HEAD = 7;

  private static final Splitter COMMA = Splitter.on(',');

  private InPlaceVersions() {}

  /**
   * Whether a pair that runs have confirmed is right for every runtime.
   *
   * @param program the program's version; 0 if it has none
   * @param runtime the runtime's version; 0 for any version from the program's version up
   */
  public static boolean isRight(String listing, long program, long runtime) {
    boolean isDefinition = COMMA.splitToStream(listing).anyMatch(DEFINITION::equals);
    int right = snapshotsOf(listing) | (1 << AT_2_3) | (isDefinition ? -1 << AT_2_0 : 0);
    return holds(right, program, runtime);
  }

  /** Whether Paddle's own tables list a pair for every such runtime. */
  public static boolean isListed(String listing, long program, long runtime) {
    return holds(snapshotsOf(listing), program, runtime);
  }

  /** Whether the bits of all snapshots that may run the program are set. */
  private static boolean holds(int snapshots, long program, long runtime) {
    if (runtime != 0) {
      int at = snapshot(runtime);
      return at >= 0 && ((snapshots >> at) & 1) == 1;
    }
    int first = program == 0 ? AT_1_8 : snapshot(program);
    if (first < 0) {
      return false;
    }
    int demanded = (1 << (HEAD + 1)) - (1 << first);
    return (snapshots & demanded) == demanded;
  }

  /** The index of the latest snapshot that is not newer than a version; -1 if all are newer. */
  private static int snapshot(long version) {
    int snapshot = SNAPSHOTS.length - 1;
    while (snapshot >= 0 && SNAPSHOTS[snapshot] > version) {
      snapshot--;
    }
    return snapshot;
  }

  /** The snapshots that list the pair, as a bit set: bit i for snapshot i. */
  private static int snapshotsOf(String listing) {
    int on = 0;
    boolean generated = false;
    for (String label : COMMA.split(listing)) {
      int snapshot = LABELS.indexOf(label);
      if (snapshot >= 0) {
        on |= 1 << snapshot;
      }
      if (label.equals("2.2m")) {
        on |= 1 << AT_2_2 | 1 << AT_2_3;
      }
      generated |= label.equals("yaml");
    }
    if (!generated || on == 0) {
      return on;
    }
    for (int snapshot = AT_2_4; snapshot < HEAD; snapshot++) {
      on |= (on >> (snapshot - 1) & 1) << snapshot;
    }
    return on | 1 << HEAD;
  }
}
