package dev.sublet.cli.console;

import com.google.common.collect.ImmutableList;

/**
 * A group of options in help texts. An option has the same name, and so the same group, in all
 * commands.
 */
public enum OptionGroup {
  LIMITS(
      "Limits",
      "--max-arena",
      "--baseline",
      "--max-growth",
      "--max-request",
      "--max-nodes",
      "--max-time"),
  SELECTION(
      "What to show",
      "--all",
      "--of",
      "--opset",
      "--version",
      "--top",
      "--sort",
      "--at",
      "--peak",
      "--apply",
      "--raw",
      "--dot"),
  INPUTS_AND_OUTPUTS(
      "Inputs and outputs",
      "--output",
      "--plan",
      "--to",
      "--report",
      "--program",
      "--params",
      "--feed",
      "--set",
      "--fetch",
      "--keep",
      "--skip-opt-set",
      "--reuse-feeds",
      "--alias",
      "--save",
      "--name",
      "--weights",
      "--math",
      "--panels",
      "--threads",
      "--unroll",
      "--run",
      "--emit",
      "--grad",
      "--given",
      "--wanted",
      "--fuse",
      "--no-fuse",
      "--compare",
      "--max-steps"),
  SHAPES("Shapes", "--shape", "--shape-profile", "--batch", "--lod", "--value"),
  SHARING(
      "Sharing",
      "--level",
      "--policy",
      "--typical",
      "--in-place",
      "--no-in-place",
      "--views",
      "--loops",
      "--fusion",
      "--release",
      "--strip-debug"),
  PLANNING(
      "Planning",
      "--align",
      "--capacity",
      "--pool",
      "--place",
      "--order",
      "--schedule",
      "--constants",
      "--hierarchical",
      "--runtime",
      "--strict"),
  SEARCH("Search", "--planner", "--effort", "--gap", "--nodes", "--timeout", "--buffer-order"),
  OTHER("Other", "--json", "--format", "--quiet", "--verbose", "--timings", "--color", "--help");

  private final String heading;
  private final ImmutableList<String> names;

  OptionGroup(String heading, String... names) {
    this.heading = heading;
    this.names = ImmutableList.copyOf(names);
  }

  /** The heading above the options. */
  public String heading() {
    return heading;
  }

  /** The long names of the options, in the order of help texts. */
  public ImmutableList<String> names() {
    return names;
  }
}
