package dev.sublet.picture;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.program.VariableId;
import dev.sublet.sharing.Sharing;
import java.util.Optional;

/**
 * The content of a picture, independent of the output format: two stages, before and after
 * planning, over one time axis.
 *
 * @param title the title of the picture
 * @param axis the time axis of both stages
 * @param variables all variables or buffers that have a box or could have one
 * @param before the stage in which every variable has its own bytes
 * @param after the stage that shows the plan's arenas
 * @param live the number of live bytes in the stage {@code after}, summed over all arenas except
 *     those that exist once per iteration
 * @param links the pairs of variables that share their bytes on purpose
 * @param comparison the names of the plans, if the stages are two plans
 */
public record Picture(
    String title,
    TimeAxis axis,
    ImmutableList<Occupant> variables,
    PictureStage before,
    PictureStage after,
    Curve live,
    ImmutableList<Link> links,
    Optional<PlanPair> comparison) {

  public Picture {
    requireNonNull(title, "title");
    requireNonNull(axis, "axis");
    requireNonNull(variables, "variables");
    requireNonNull(before, "before");
    requireNonNull(after, "after");
    requireNonNull(live, "live");
    requireNonNull(links, "links");
    requireNonNull(comparison, "comparison");
  }

  /**
   * What a picture of two plans is called.
   *
   * @param before the name of the first plan
   * @param after the name of the second plan
   * @param facts the differences of the plans as a whole, as text for people
   */
  public record PlanPair(String before, String after, ImmutableList<String> facts) {

    public PlanPair {
      requireNonNull(before, "before");
      requireNonNull(after, "after");
      requireNonNull(facts, "facts");
    }
  }

  /** The name of the stage before. */
  String nameBefore() {
    return comparison.map(PlanPair::before).orElse("Before");
  }

  /** The name of the stage after. */
  String nameAfter() {
    return comparison.map(PlanPair::after).orElse("The plan");
  }

  /**
   * A variable or buffer.
   *
   * @param name the printable name
   * @param block the block that declares the variable; -1 without a program
   * @param type the declared element type and extents; empty if not known
   * @param holder the index of the variable whose name and bytes this variable has in the stage
   *     after; its own index if it has kept its name
   * @param declaredBytes the bytes of the declared type; -1 if the type does not say
   * @param notes the reasons why the variable shares no name or no bytes; empty if there are none
   * @param origin what the variable is for, and where it comes from
   */
  public record Occupant(
      String name,
      int block,
      String type,
      long declaredBytes,
      int holder,
      String notes,
      Origin origin) {

    public Occupant {
      requireNonNull(name, "name");
      requireNonNull(type, "type");
      requireNonNull(notes, "notes");
      requireNonNull(origin, "origin");
    }
  }

  /**
   * What a variable is for, and the line of the user's code that made it.
   *
   * @param kind one word, such as {@code activation} or {@code feed}; in a comparison of two plans
   *     the change, such as {@code grown}; empty if not known
   * @param position the file and the line, {@code lcnet.py:88}; empty if not known
   * @param code the line itself; empty if not known
   */
  public record Origin(String kind, String position, String code) {

    /** Nothing is known. */
    public static final Origin UNKNOWN = new Origin("", "", "");

    public Origin {
      requireNonNull(kind, "kind");
      requireNonNull(position, "position");
      requireNonNull(code, "code");
    }
  }

  /**
   * A pair of variables that share their bytes on purpose.
   *
   * @param variable the index of a variable
   * @param of the index of the variable whose bytes it shares
   * @param kind see {@link dev.sublet.plan.Alias}
   */
  public record Link(int variable, int of, String kind) {

    public Link {
      requireNonNull(kind, "kind");
    }
  }

  /**
   * One of the two halves of a picture: before or after planning.
   *
   * @param meaning one sentence that describes the stage
   * @param arenas the arenas, drawn above each other
   * @param boxes the boxes in the arenas
   * @param held whether a box keeps its bytes from its first point to the end of the run, even
   *     while they are dead
   */
  public record PictureStage(
      String meaning, ImmutableList<ArenaBand> arenas, ImmutableList<Box> boxes, boolean held) {

    public PictureStage {
      requireNonNull(meaning, "meaning");
      requireNonNull(arenas, "arenas");
      requireNonNull(boxes, "boxes");
    }

    /** The total bytes of the arenas, without those that exist once per iteration of a loop. */
    public long bytes() {
      return arenas.stream().filter(arena -> !arena.isStep()).mapToLong(ArenaBand::bytes).sum();
    }

    /** The sum of the lower bounds of the same arenas. */
    public long lowerBound() {
      return arenas.stream()
          .filter(arena -> !arena.isStep())
          .mapToLong(ArenaBand::lowerBound)
          .sum();
    }
  }

  /**
   * An arena as a band of the picture: its label and its bytes.
   *
   * @param label the printable name of the arena
   * @param bytes its size
   * @param lowerBound bytes that no plan goes below; 0 if that is not known
   * @param isStep whether the arena exists once per iteration of a loop
   */
  public record ArenaBand(String label, long bytes, long lowerBound, boolean isStep) {

    public ArenaBand {
      requireNonNull(label, "label");
    }
  }

  /**
   * The bytes of a variable or of one of its webs, and the time for which it is live.
   *
   * @param variable the index of the variable whose name the bytes have
   * @param arena the index of the arena in its stage
   * @param offset the first byte; if there are views, the first byte before any loop has iterated
   * @param bytes the number of bytes
   * @param pieces the times at which bytes are live, with the bytes; ascending and disjoint in time
   * @param views the locations of the bytes if loops move them
   */
  public record Box(
      int variable,
      int arena,
      long offset,
      long bytes,
      ImmutableList<Piece> pieces,
      Optional<MultiView> views) {

    public Box {
      requireNonNull(pieces, "pieces");
      requireNonNull(views, "views");
    }

    /** The first point at which any byte of the box is live. */
    public int begin() {
      return pieces.get(0).begin();
    }
  }

  /**
   * A part of a box's bytes during an interval of points.
   *
   * @param variable the index of the variable in the bytes; if several variables of the original
   *     program have the name of the box, the one that is live then
   * @param begin the first point at which the bytes are occupied
   * @param end the first point after the interval
   * @param low the first byte, relative to the box
   * @param high the first byte after the part, relative to the box
   */
  public record Piece(int variable, int begin, int end, long low, long high) {}

  /**
   * The number of live bytes over time, as a step function: {@code bytes[i]} are live from {@code
   * points[i]} to before {@code points[i + 1]}. The first point is 0; adjacent values differ.
   */
  public record Curve(ImmutableIntArray points, ImmutableLongArray bytes) {

    public Curve {
      requireNonNull(points, "points");
      requireNonNull(bytes, "bytes");
    }

    /** Returns the index of the earliest point with the most bytes. O(points). */
    public int peak() {
      int peak = 0;
      for (int i = 1; i < points.length(); i++) {
        if (bytes.get(i) > bytes.get(peak)) {
          peak = i;
        }
      }
      return peak;
    }
  }

  /**
   * Draws a plan without its program: operators have numbers only. O(plan × log).
   *
   * @param title what the picture is called
   * @throws ProgramException if an allocation is outside its arena, or at times too late to be
   *     drawn
   */
  public static Picture ofPlan(String title, MemoryPlan plan) {
    return PlanScene.draw(title, Optional.empty(), plan, ImmutableMap.of());
  }

  /**
   * Draws a plan with its program. Whether the plan belongs to the program is not checked. O((plan
   * + program) × log).
   *
   * @param title what the picture is called
   * @param origins the kinds and source lines of variables, as far as they are known
   * @throws ProgramException if an allocation is outside its arena, or is live outside the program
   */
  public static Picture ofPlan(
      String title,
      ControlFlowGraph graph,
      MemoryPlan plan,
      ImmutableMap<VariableId, Origin> origins) {
    return PlanScene.draw(title, Optional.of(graph), plan, origins);
  }

  /**
   * Draws a program and the plan of the program that it was rewritten to. The stage before shows
   * the original program, the stage after the rewritten one; the time axis has the operators of
   * both. O((plan + programs) × log).
   *
   * @param title what the picture is called
   * @param original the original program with the live ranges and sizes of its variables
   * @param sharing the renamings of its variables
   * @param rewritten the rewritten program, to which the plan belongs
   * @param origins the kinds and source lines of variables, as far as they are known
   */
  public static Picture ofRewrite(
      String title,
      OriginalProgram original,
      Sharing sharing,
      ControlFlowGraph rewritten,
      MemoryPlan plan,
      ImmutableMap<VariableId, Origin> origins) {
    return RewriteScene.draw(title, original, sharing, rewritten, plan, origins);
  }

  /**
   * Draws two plans, the stages before and after. O(plans × log).
   *
   * @param comparison the names of the plans, and how they differ
   * @param graph the graph of the second plan's program, if it is known; the first plan may be for
   *     another one
   * @param changes the kinds of changes of the variables
   * @throws ProgramException if an allocation is outside its arena
   */
  public static Picture ofComparison(
      PlanPair comparison,
      MemoryPlan before,
      MemoryPlan after,
      Optional<ControlFlowGraph> graph,
      ImmutableMap<VariableId, Origin> changes) {
    return ComparisonScene.draw(comparison, before, after, graph, new Occupants(changes));
  }

  /**
   * Draws a table of buffers and their offsets. O(rows × log).
   *
   * @param title what the picture is called
   * @param offsets the offsets, by row of the table
   * @param arenaBytes the first byte after all buffers
   * @param lowerBound bytes that no offsets go below; 0 if that is not known
   */
  public static Picture ofTable(
      String title,
      BufferTable table,
      ImmutableLongArray offsets,
      long arenaBytes,
      long lowerBound) {
    return TableScene.draw(title, table, offsets, arenaBytes, lowerBound);
  }
}
