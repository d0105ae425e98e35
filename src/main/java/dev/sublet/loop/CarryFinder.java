package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.ControlKind;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Places;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the carries of one loop after the other, inner loops first. */
final class CarryFinder {

  /** A program is not unrolled to more operators than this, or four times as many as it has. */
  private static final int MAX_NODES = 50_000;

  private final Liveness liveness;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Sizes sizes;
  private final LodCarriers lod;
  private final Places places;
  private final OperatorCatalog catalog;
  private final @Nullable Role[] roles;
  private final int[] mergedInto;
  private final BitSet removed = new BitSet();
  private final int[] repeats;

  /** The nodes of each region's body once the loops inside it are unrolled. */
  private final long[] unrolledNodes;

  private long addedNodes;
  private final ImmutableList.Builder<Component> components = ImmutableList.builder();
  private final ImmutableListMultimap.Builder<Integer, Integer> rootsTaking =
      ImmutableListMultimap.builder();

  private final int maxRepeat;
  private final boolean withFirst;
  private final boolean mayShare;

  /** Loops in which nothing moves. */
  private final ImmutableSet<Integer> staying;

  /** The loops whose first iteration is a copy of its own. */
  private final boolean[] peeled;

  private final BitSet mergeTargets = new BitSet();

  private final FirstPlaces firsts;

  CarryFinder(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      Places places,
      OperatorCatalog catalog,
      int maxRepeat,
      boolean withFirst,
      boolean mayShare,
      ImmutableSet<Integer> staying) {
    this.staying = staying;
    this.maxRepeat = maxRepeat;
    this.withFirst = withFirst;
    this.mayShare = mayShare;
    this.peeled = new boolean[liveness.graph().regions().size()];
    this.liveness = liveness;
    this.graph = liveness.graph();
    this.ranges = liveness.ranges();
    this.sizes = sizes;
    this.lod = lod;
    this.places = places;
    this.catalog = catalog;
    this.roles = new @Nullable Role[ranges.webCount()];
    this.mergedInto = new int[ranges.webCount()];
    Arrays.fill(mergedInto, -1);
    this.repeats = new int[graph.regions().size()];
    Arrays.fill(repeats, 1);
    this.firsts = new FirstPlaces(this);
    this.unrolledNodes = new long[graph.regions().size()];
    for (Region region : graph.regions()) {
      unrolledNodes[region.index()] = region.exit() - region.head() - 1L;
    }
  }

  Carries find() {
    List<LoopCarries> found = new ArrayList<>();
    for (int region = graph.regions().size() - 1; region > 0; region--) {
      Region loop = graph.region(region);
      if (loop.kind() == ControlKind.WHILE && !loop.kept()) {
        LoopCarries carries = find(loop);
        if (!carries.carries().isEmpty()) {
          found.add(0, carries);
        }
      }
    }
    return new Carries(
        liveness,
        ImmutableList.copyOf(found),
        roles,
        mergedInto,
        removed,
        repeats,
        peeled,
        components.build(),
        rootsTaking.build());
  }

  private LoopCarries find(Region loop) {
    List<Candidate> candidates = candidates(loop);
    if (candidates.isEmpty()) {
      return new LoopCarries(loop.index(), selfCopies(loop), 1);
    }
    CarrySources sources = new CarrySources(this, loop, candidates);
    List<Ring> rings = Rings.find(this, loop, candidates, sources);
    int repeat = 1;
    for (Ring ring : rings) {
      repeat = Rings.leastCommonMultiple(repeat, ring.length());
    }
    for (Ring ring : rings) {
      // What is handed on to another variable has to be in a place of the ring then.
      Candidate last = ring.members().get(ring.members().size() - 1);
      for (Candidate member : ring.members()) {
        boolean mayBeFirst = withFirst && ring.root() >= 0 && member == last;
        member.first = mayBeFirst ? firsts.find(loop, member) : null;
      }
      for (Candidate guest : ring.guests()) {
        guest.first = withFirst ? firsts.find(loop, guest) : null;
        guest.first = guest.first == null ? firsts.own(loop, guest) : guest.first;
      }
      for (Candidate each : ring.all()) {
        peeled[loop.index()] |= each.first != null;
      }
    }
    for (Ring ring : rings) {
      apply(loop, ring);
    }
    repeats[loop.index()] = repeat;
    grow(loop, repeat + (peeled[loop.index()] ? 1 : 0));
    ImmutableList.Builder<Carry> carries = ImmutableList.builder();
    for (Candidate candidate : candidates) {
      carries.add(candidate.toCarry());
    }
    carries.addAll(selfCopies(loop));
    return new LoopCarries(loop.index(), carries.build(), repeat);
  }

  /** Why a loop cannot be repeated so often; empty if it can. */
  String whyNotRepeat(Region loop, int repeat) {
    if (staying.contains(loop.index())) {
      return "copies are smaller";
    }
    if (repeat > maxRepeat) {
      return "the loop would have to be repeated " + repeat + " times";
    }
    long most = Math.max(MAX_NODES, 4L * graph.nodeCount());
    return addedNodes + growth(loop, repeat) <= most
        ? ""
        : String.format(
            Locale.ROOT,
            "repeating the loop %d times would add more than %,d operators",
            repeat,
            most);
  }

  private long growth(Region loop, int repeat) {
    return (repeat - 1L) * (unrolledNodes[loop.index()] + 2);
  }

  private void grow(Region loop, int repeat) {
    long added = growth(loop, repeat);
    addedNodes += added;
    for (int region = loop.index(); region > 0; region = graph.region(region).parent()) {
      unrolledNodes[region] += added;
    }
  }

  /** The copies in a loop's body that look like carries. */
  private List<Candidate> candidates(Region loop) {
    List<Candidate> candidates = new ArrayList<>();
    for (int node = loop.head() + 1; node < loop.exit(); node++) {
      if (graph.regionOfNode(node) != loop.index()) {
        continue;
      }
      Operation operation = graph.operation(node);
      if (isCopy(operation) && isOutside(loop, operation.output(0))) {
        Candidate candidate = new Candidate(operation, node);
        int target = candidate.target;
        candidate.web = ranges.webAt(target, 2 * node + 1);
        candidate.refuse(new CarryRules(graph, ranges, loop).objection(candidate, this));
        candidates.add(candidate);
      }
    }
    return candidates;
  }

  /** Copies of outer variables onto themselves, as some programs are saved with. */
  private ImmutableList<Carry> selfCopies(Region loop) {
    ImmutableList.Builder<Carry> carries = ImmutableList.builder();
    for (int node = loop.head() + 1; node < loop.exit(); node++) {
      if (graph.regionOfNode(node) == loop.index()
          && graph.operation(node).type().equals("assign")
          && graph.operation(node).inputCount() == 1
          && graph.operation(node).outputCount() == 1
          && graph.operation(node).input(0) == graph.operation(node).output(0)
          && isOutside(loop, graph.operation(node).output(0))) {
        Operation copy = graph.operation(node);
        carries.add(
            new Carry(
                copy,
                copy.input(0),
                copy.output(0),
                Carry.Decision.COPIED,
                1,
                "it is copied onto itself, which moves nothing" + writtenInPlace(loop, node)));
      }
    }
    return carries.build();
  }

  /** By which operator of a loop's body a variable that is copied onto itself has been changed. */
  private String writtenInPlace(Region loop, int copy) {
    int variable = graph.operation(copy).output(0);
    AccessTable accesses = graph.accesses();
    String writer = "";
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      boolean isBefore = loop.head() < node && node < copy && graph.isKernel(node);
      if (isBefore && accesses.writes(access) && accesses.reads(access)) {
        writer = ": '" + graph.operation(node).type() + "' has changed it in its place";
      }
    }
    return writer;
  }

  /** Whether an operator makes one dense tensor a copy of another and does nothing else. */
  private boolean isCopy(Operation operation) {
    return isCopy(graph.program(), operation);
  }

  static boolean isCopy(Program program, Operation operation) {
    return operation.type().equals("assign")
        && operation.inputCount() == 1
        && operation.outputCount() == 1
        && operation.input(0) != operation.output(0)
        && CarryRules.isTensor(program, operation.input(0))
        && CarryRules.isTensor(program, operation.output(0));
  }

  private boolean isOutside(Region loop, int variable) {
    int home = graph.regionOfBlock(graph.program().variable(variable).block());
    return home >= 0 && home < loop.index();
  }

  /** Whether variables may be in a place of their own at first and in others' places then. */
  boolean mayShare(Region loop) {
    return mayShare && !staying.contains(loop.index());
  }

  /** Whether two variables can be at one place: same bytes, same kind of memory. */
  boolean areAlike(int a, int b) {
    boolean sameBytes =
        sizes.areSame(a, b)
            || (sizes.isKnown(a) && sizes.isKnown(b) && sizes.bytes(a) == sizes.bytes(b));
    return sameBytes
        && sizes.dataType(a) == sizes.dataType(b)
        && sizes.dims(a).equals(sizes.dims(b))
        && graph.program().variable(a).hasSameType(graph.program().variable(b))
        && lod.carries(a) == lod.carries(b)
        && places.areSame(a, b);
  }

  /** Whether all that a web holds is as large as its variable: another value may be larger. */
  boolean isFilled(int variable, int web) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access) && graph.isKernel(node) && ranges.contains(web, 2 * node + 1)) {
        Operation operation = graph.operation(node);
        for (int i = 0; i < operation.outputCount(); i++) {
          if (operation.output(i) == variable
              && sizes.bytesWritten(operation, i) >= 0
              && sizes.bytesWritten(operation, i) < sizes.bytes(variable)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  boolean carriesLod(int variable) {
    return lod.carries(variable);
  }

  boolean isKnown(int variable) {
    return sizes.isKnown(variable);
  }

  boolean isObserved(int variable) {
    return liveness.observation().isObserved(variable);
  }

  boolean keepsName(int variable) {
    return liveness.observation().keepsName(variable) || graph.pinned().isPinned(variable);
  }

  /** Whether the operator at a node may compute one variable where another one is. */
  boolean mayWorkInPlace(int node, int source, int target) {
    Operation operation = graph.operation(node);
    return graph.regionAtHead(node) < 0
        && !isObserved(source)
        && !isObserved(target)
        && catalog
            .inPlacePairs(catalog.lookup(operation.type()), graph.program().version())
            .stream()
            .anyMatch(
                pair ->
                    pair.source(operation) == source
                        && pair.target(operation) == target
                        && pair.canShareName(operation)
                        && sizes.areSame(operation, pair));
  }

  /** Whether no loop that has been looked at moves a web, or makes it one with another. */
  boolean isUnmoved(int web) {
    return roles[web] == null && mergedInto[web] < 0 && !mergeTargets.get(web);
  }

  /** Where variables are before loops have carried something to them. */
  FirstPlaces firsts() {
    return firsts;
  }

  boolean hasRole(int web) {
    return roles[web] != null;
  }

  ControlFlowGraph graph() {
    return graph;
  }

  LiveRanges ranges() {
    return ranges;
  }

  private void apply(Region loop, Ring ring) {
    if (ring.length() == 1 && ring.guests().isEmpty() && ring.members().get(0).first == null) {
      Candidate only = ring.members().get(0);
      mergedInto[ring.root()] = only.web;
      mergeTargets.set(only.web);
      removed.set(only.node);
      noteTaking(only, ring.root());
      only.decide(Carry.Decision.CO_ALLOCATED, 1, ring.reason());
    } else {
      int[] bases = new int[ring.length()];
      Arrays.fill(bases, -1);
      Component component = new Component(loop.index(), bases, ring.members().get(0).target);
      int start = peeled[loop.index()] ? -1 : 0;
      components.add(component);
      for (Candidate member : ring.members()) {
        // A place may be named after two: then the one that is there from the start goes first.
        int named = component.place(member.first == null ? start : 0, member.shift);
        boolean isTaken = bases[named] >= 0 && member.first != null;
        if (!isTaken && !(mayShare && isReused(member, loop))) {
          bases[named] = member.target;
        }
        move(member, component, ring, ring.reason());
      }
      for (Candidate guest : ring.guests()) {
        move(guest, component, ring, "another variable is carried the same value: they share it");
      }
      if (ring.root() >= 0) {
        setRole(ring.root(), new Role(component, 0, Integer.MAX_VALUE, null));
      }
    }
  }

  /**
   * Whether a variable holds something else too, before or behind its loop, if only because another
   * loop says that it writes it. Others may be in its place then, so that in a plan the place must
   * not have its name; a program puts everything back in its own place.
   */
  private boolean isReused(Candidate member, Region loop) {
    AccessTable accesses = graph.accesses();
    int target = member.target;
    for (int access = accesses.begin(target); access < accesses.end(target); access++) {
      int node = accesses.node(access);
      int web = accesses.writes(access) ? ranges.webAt(target, 2 * node + 1) : member.web;
      if (web != member.web && web != member.webAtStart && node != loop.exit()) {
        return true;
      }
    }
    return false;
  }

  private void move(Candidate member, Component component, Ring ring, String reason) {
    Role role = new Role(component, member.shift, member.node, member.first);
    setRole(member.web, role);
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      setRole(member.webAtStart, role);
    }
    removed.set(member.node);
    if (member.first != null && !member.first.isOwn()) {
      removed.set(member.first.copyNode());
    }
    for (CarrySources.Temporary temporary : member.temporaries) {
      // It holds what the member copies: the value of the member's source.
      setRole(temporary.web(), new Role(component, member.shift + 1, Integer.MAX_VALUE, null));
      removed.set(temporary.node());
    }
    if (ring.root() >= 0 && member.shift % ring.length() == 0) {
      noteTaking(member, ring.root());
    }
    member.decide(
        ring.length() == 1 ? Carry.Decision.CO_ALLOCATED : Carry.Decision.ROTATED,
        ring.length(),
        reason);
  }

  private void noteTaking(Candidate member, int root) {
    rootsTaking.put(member.web, root);
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      rootsTaking.put(member.webAtStart, root);
    }
  }

  private void setRole(int web, Role role) {
    roles[web] = role;
  }
}
