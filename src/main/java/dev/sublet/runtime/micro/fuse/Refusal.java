package dev.sublet.runtime.micro.fuse;

/**
 * Two blocks that were not merged although the second reads a tensor that the first writes.
 *
 * @param producer the function of the first block
 * @param consumer the function of the second block
 * @param tensor the tensor that the first block writes and the second reads
 * @param reason why the blocks were not merged
 */
public record Refusal(String producer, String consumer, String tensor, String reason) {}
