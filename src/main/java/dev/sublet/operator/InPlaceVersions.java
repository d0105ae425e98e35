package dev.sublet.operator;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

/**
 * The rule that says for which program versions a listed in-place pair is on.
 *
 * <p>A listing names the snapshots of Paddle in which the pair was seen: 1.5, 1.8, 2.0, 2.2, 2.3,
 * 2.4, 2.6 and {@code HEAD} (May 2024, taken as 3.0). {@code 2.2m} (registered by a macro) counts
 * as 2.2. {@code yaml} (generated code) counts as {@code HEAD}, but a pair listed as {@code yaml}
 * alone is never on: nothing but a generator's default speaks for it. Any other label, such as
 * {@code 1.8 CUDA}, counts nowhere.
 *
 * <ol>
 *   <li>A version stands for the latest snapshot that is not newer: 2.5.1 for 2.4, 3.1 for {@code
 *       HEAD}. Before 1.5 every pair is off.
 *   <li>The pair is on if that snapshot is listed.
 *   <li>From 2.4 on, operators moved to generated code and left the registrations that the listings
 *       of 2.4 and 2.6 come from. So in a listing with {@code yaml} the snapshots 2.4 and 2.6
 *       follow the one just before them: {@code 2.3,yaml} is on at 2.4 and 2.6 too, {@code
 *       2.2,yaml} is not, because it was off at 2.3.
 *   <li>Version 0 (a program that records none) may be any of those that wrote no version: the pair
 *       is on if it is on at each of 1.8, 2.0, 2.2, 2.3 and 2.4.
 *   <li>{@code verified} is not Paddle's word: a run of 2.3.2 gave the same bits in place as apart,
 *       and the operator's definition allows it. The pair is on at version 0 and from 2.0 on,
 *       whatever else is listed. ONNX's operators, of which Paddle knows nothing, have this label
 *       on the ground that {@link OnnxOperators} gives; their programs have version 0.
 * </ol>
 */
final class InPlaceVersions {

  static final String SINCE_1_5 = "1.5,1.8,2.0,2.2,2.3,2.4,2.6,HEAD";
  static final String SINCE_1_8 = "1.8,2.0,2.2,2.3,2.4,2.6,HEAD";
  static final String SINCE_1_8_UNTIL_2_4 = "1.8,2.0,2.2,2.3,2.4";
  static final String SINCE_1_8_GENERATED = "1.8,2.0,2.2,2.3,2.4,yaml";
  static final String SINCE_2_2_GENERATED = "2.2,2.3,2.4,yaml";
  static final String MACRO_GENERATED = "2.2m,yaml";
  static final String GENERATED_ONLY = "yaml";

  /** The label of a pair that a real runtime has been shown to compute in place, bit for bit. */
  static final String VERIFIED = "verified";

  private static final long VERIFIED_SINCE = 2_000_000;

  private static final ImmutableList<String> LABELS =
      ImmutableList.of("1.5", "1.8", "2.0", "2.2", "2.3", "2.4", "2.6", "HEAD");
  private static final long[] SNAPSHOTS = {
    1_005_000, 1_008_000, 2_000_000, 2_002_000, 2_003_000, 2_004_000, 2_006_000, 3_000_000
  };
  private static final int AT_2_4 = 5;
  private static final int HEAD = 7;

  /** The bits of 1.8, 2.0, 2.2, 2.3 and 2.4. */
  private static final int UNRECORDED = 0b111110;

  private static final Splitter COMMA = Splitter.on(',');

  private InPlaceVersions() {}

  /** Whether a pair with this listing is on for a program of this version; 0 if it has none. */
  static boolean includes(String listing, long version) {
    boolean isVerified = COMMA.splitToStream(listing).anyMatch(VERIFIED::equals);
    if (isVerified && (version == 0 || version >= VERIFIED_SINCE)) {
      return true;
    }
    int on = snapshotsOf(listing);
    if (version == 0) {
      return (on & UNRECORDED) == UNRECORDED;
    }
    int snapshot = SNAPSHOTS.length - 1;
    while (snapshot >= 0 && SNAPSHOTS[snapshot] > version) {
      snapshot--;
    }
    return snapshot >= 0 && (on >> snapshot & 1) == 1;
  }

  /** The snapshots at which the pair is on, bit i for snapshot i. */
  private static int snapshotsOf(String listing) {
    int on = 0;
    boolean generated = false;
    for (String label : COMMA.split(listing)) {
      int snapshot = LABELS.indexOf(label.equals("2.2m") ? "2.2" : label);
      if (snapshot >= 0) {
        on |= 1 << snapshot;
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
