package dev.sublet.paddle.oracle;

import static java.util.Objects.requireNonNull;

/**
 * What came of a case.
 *
 * @param oracleCase the case
 * @param difference the largest relative difference of its outputs; see {@link Difference}
 * @param failure what is wrong, if it is; else empty
 */
public record OracleResult(OracleCase oracleCase, double difference, String failure) {

  public OracleResult {
    requireNonNull(oracleCase, "oracleCase");
    requireNonNull(failure, "failure");
  }

  /** The case and what is wrong with it. */
  @Override
  public String toString() {
    return oracleCase + "\n    " + failure;
  }
}
