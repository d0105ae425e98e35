package dev.sublet.runtime.micro.fuse;

import static java.util.Objects.requireNonNull;

/**
 * Two blocks that stayed apart although the second reads what the first writes.
 *
 * @param producer the function of the first
 * @param consumer the function of the second
 * @param tensor what passes between them
 * @param reason why they were not merged
 */
public record Refusal(String producer, String consumer, String tensor, String reason) {

  public Refusal {
    requireNonNull(producer, "producer");
    requireNonNull(consumer, "consumer");
    requireNonNull(tensor, "tensor");
    requireNonNull(reason, "reason");
  }
}
