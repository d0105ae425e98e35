package dev.sublet.report;

/**
 * A result that can be shown as text and as JSON. Both end with a line feed. O(size of the result).
 */
public interface Report {

  /** The summary for people, short enough for a screen. */
  String text();

  /** The items that {@link #text} only counts, one by one; empty if there are none. */
  default String details() {
    return "";
  }

  /** One JSON object with everything. */
  String json();
}
