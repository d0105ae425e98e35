package dev.sublet.picture;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.sharing.Sharing;
import java.util.Optional;

/**
 * What is drawn, before anything is drawn: two stages over one time axis.
 *
 * @param title what the picture is of
 * @param axis the time
 * @param variables whatever has a box or could have one
 * @param before every variable with bytes of its own
 * @param after the plan's arenas
 * @param live how many bytes are live after, all arenas that there are once taken together
 * @param links pairs of variables that have the same bytes on purpose
 */
public record Picture(
    String title,
    TimeAxis axis,
    ImmutableList<Tenant> variables,
    Stage before,
    Stage after,
    Curve live,
    ImmutableList<Link> links) {

  public Picture {
    requireNonNull(title, "title");
    requireNonNull(axis, "axis");
    requireNonNull(variables, "variables");
    requireNonNull(before, "before");
    requireNonNull(after, "after");
    requireNonNull(live, "live");
    requireNonNull(links, "links");
  }

  /**
   * A variable or buffer.
   *
   * @param name as it can be printed
   * @param block the block that declares it; -1 without a program
   * @param type its declared element type and extents; empty if not known
   * @param holder the index of the variable whose name and bytes it has after; its own if it has
   *     kept its name
   * @param notes why it shares no name, or no bytes; empty if there is nothing to say
   */
  public record Tenant(String name, int block, String type, int holder, String notes) {

    public Tenant {
      requireNonNull(name, "name");
      requireNonNull(type, "type");
      requireNonNull(notes, "notes");
    }
  }

  /**
   * Two variables that are meant to have the same bytes.
   *
   * @param variable an index
   * @param of another one
   * @param kind see {@link dev.sublet.plan.Alias}
   */
  public record Link(int variable, int of, String kind) {

    public Link {
      requireNonNull(kind, "kind");
    }
  }

  /**
   * One of the two pictures.
   *
   * @param meaning one sentence that says what is drawn
   * @param arenas the arenas, drawn above each other
   * @param boxes what is in them
   * @param held whether a box keeps its bytes from its first point to the end of the run, dead or
   *     not
   */
  public record Stage(
      String meaning, ImmutableList<Stretch> arenas, ImmutableList<Box> boxes, boolean held) {

    public Stage {
      requireNonNull(meaning, "meaning");
      requireNonNull(arenas, "arenas");
      requireNonNull(boxes, "boxes");
    }

    /** The bytes of all arenas but those of which every iteration of a loop has one. */
    public long bytes() {
      return arenas.stream().filter(arena -> !arena.isStep()).mapToLong(Stretch::bytes).sum();
    }

    /** The lower bounds of the same arenas. */
    public long lowerBound() {
      return arenas.stream().filter(arena -> !arena.isStep()).mapToLong(Stretch::lowerBound).sum();
    }
  }

  /**
   * An arena.
   *
   * @param label what it is called
   * @param bytes its size
   * @param lowerBound bytes that no plan goes below; 0 if that is not known
   * @param isStep whether every iteration of a loop has one
   */
  public record Stretch(String label, long bytes, long lowerBound, boolean isStep) {

    public Stretch {
      requireNonNull(label, "label");
    }
  }

  /**
   * Bytes of a variable.
   *
   * @param variable an index
   * @param arena an index of its stage
   * @param offset its first byte; while no loop has iterated, if there are views
   * @param bytes how many bytes
   * @param pieces when, and how many of the bytes, are live: ascending and disjoint in time
   * @param views where the bytes are if loops move them
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

    /** The first point at which something of it is live. */
    public int begin() {
      return pieces.get(0).begin();
    }
  }

  /**
   * Some bytes of a box for some time.
   *
   * @param begin the point from which they are occupied
   * @param end the point before which they are
   * @param low the first byte, counted from the first one of their box
   * @param high the byte behind the last one
   */
  public record Piece(int begin, int end, long low, long high) {}

  /**
   * How many bytes are live: from each of the points on as many as stand beside it. The first point
   * is 0; neighbours differ.
   */
  public record Curve(ImmutableIntArray points, ImmutableLongArray bytes) {

    public Curve {
      requireNonNull(points, "points");
      requireNonNull(bytes, "bytes");
    }

    /** The index of the earliest of the points with the most bytes. O(points). */
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
   * A plan of a program that is not at hand: its operators have numbers only. O(plan × log).
   *
   * @param title what the picture is called
   * @throws ProgramException if an allocation lies outside of its arena, or of any time that can be
   *     drawn
   */
  public static Picture ofPlan(String title, MemoryPlan plan) {
    return PlanScene.draw(title, Optional.empty(), plan);
  }

  /**
   * A plan and the program that it is for, which is not checked. O((plan + program) × log).
   *
   * @param title what the picture is called
   * @throws ProgramException if an allocation lies outside of its arena, or of the program
   */
  public static Picture ofPlan(String title, ControlFlowGraph graph, MemoryPlan plan) {
    return PlanScene.draw(title, Optional.of(graph), plan);
  }

  /**
   * A program and the plan of what it was rewritten to: before is the original program, after the
   * rewritten one, and time goes by the operators of both. O((plan + programs) × log).
   *
   * @param title what the picture is called
   * @param original when the variables of the original program need their bytes, and how many
   * @param sharing what became of its variables
   * @param rewritten the program that the plan is for
   */
  public static Picture ofRewrite(
      String title,
      OriginalProgram original,
      Sharing sharing,
      ControlFlowGraph rewritten,
      MemoryPlan plan) {
    return RewriteScene.draw(title, original, sharing, rewritten, plan);
  }

  /**
   * A table of buffers and their offsets. O(rows × log).
   *
   * @param title what the picture is called
   * @param offsets by row
   * @param arenaBytes the first byte behind all of them
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
