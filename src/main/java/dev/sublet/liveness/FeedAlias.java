package dev.sublet.liveness;

/**
 * A feed and a result of the program that are one buffer of the runtime, such as a cache that each
 * run extends. The result takes the storage of the feed, which is therefore not observed.
 *
 * <pre>
 *   --alias past=present     past is there before the run, present after it, from the same byte on
 * </pre>
 *
 * @param feed the index of the feed
 * @param result the index of the result, which is observed and no feed
 */
public record FeedAlias(int feed, int result) {}
