package dev.sublet.report;

/** A result that can be shown as text and as JSON. Both end with a line feed. O(size of it). */
public interface Report {

  /** What fits on a screen. */
  String text();

  /** What {@link #text} only counts, item by item; empty if that is nothing. */
  default String details() {
    return "";
  }

  /** One JSON object with everything. */
  String json();
}
