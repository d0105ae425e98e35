package dev.sublet.codec.plan;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.errorprone.annotations.FormatMethod;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Feed;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.Pool;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Converts plans to messages of {@code plan.proto} and back. A message may come from anywhere, so
 * the conversion back checks everything that can be checked without the program. O(size).
 */
public final class PlanMessages {

  /** The numbering of program points that {@code plan.proto} describes. */
  static final int POINT_NUMBERING = 1;

  private PlanMessages() {}

  /** Returns the plan as a message. O(plan). */
  public static dev.sublet.proto.MemoryPlan toMessage(MemoryPlan plan) {
    dev.sublet.proto.MemoryPlan.Builder message =
        dev.sublet.proto.MemoryPlan.newBuilder()
            .setPointNumbering(POINT_NUMBERING)
            .setProgramSha256(plan.programSha256())
            .setPlanner(plan.planner())
            .setBatch(plan.batch())
            .setOrder(order(plan.order()));
    plan.feeds().forEach(feed -> message.addFeeds(toMessage(feed)));
    for (Arena arena : plan.arenas()) {
      message.addArenas(toMessage(arena));
    }
    for (Allocation allocation : plan.allocations()) {
      message.addAllocations(toMessage(allocation));
    }
    for (Unplanned unplanned : plan.unplanned()) {
      message
          .addUnplannedBuilder()
          .setBlockIdx(unplanned.variable().block())
          .setVariable(PlanNames.encode(unplanned.variable().name()))
          .setReason(unplanned.reason());
    }
    for (Alias alias : plan.aliases()) {
      message
          .addAliasesBuilder()
          .setBlockIdx(alias.variable().block())
          .setVariable(PlanNames.encode(alias.variable().name()))
          .setOfBlockIdx(alias.of().block())
          .setOfVariable(PlanNames.encode(alias.of().name()))
          .setKind(alias.kind())
          .setOffset(alias.offset());
    }
    for (UnneededCopy copy : plan.copies()) {
      message
          .addCopiesBuilder()
          .setBlockIdx(copy.block())
          .setOpIndex(copy.operator())
          .setFromBlockIdx(copy.from().block())
          .setFrom(PlanNames.encode(copy.from().name()))
          .setToBlockIdx(copy.to().block())
          .setTo(PlanNames.encode(copy.to().name()))
          .setBytes(copy.bytes());
    }
    return message.build();
  }

  private static dev.sublet.proto.Feed toMessage(Feed feed) {
    dev.sublet.proto.Feed.Builder message =
        dev.sublet.proto.Feed.newBuilder().setName(PlanNames.encode(feed.name()));
    feed.extents().ifPresent(all -> message.getShapeBuilder().addAllExtents(all.asList()));
    for (ImmutableLongArray level : feed.sequences()) {
      message.addLevelsBuilder().addAllOffsets(level.asList());
    }
    message.addAllValues(feed.values().asList());
    return message.build();
  }

  private static dev.sublet.proto.Arena toMessage(Arena arena) {
    dev.sublet.proto.Arena.Builder message =
        dev.sublet.proto.Arena.newBuilder()
            .setPlace(arena.place())
            .setBytes(arena.bytes())
            .setLowerBound(arena.lowerBound())
            .setProvedOptimal(arena.isProvedOptimal())
            .setAlignment(arena.alignment())
            .setStepOfBlock(arena.stepOfBlock());
    if (arena.pool().isPresent()) {
      message
          .setPool(arena.pool().get().name())
          .setCapacity(capacity(arena.pool().get()))
          .setTraffic(arena.traffic());
    }
    return message.build();
  }

  /** The capacity of a pool as plans write it: 0 if it is unlimited. */
  static long capacity(Pool pool) {
    return pool.isLimited() ? pool.capacity() : 0;
  }

  private static dev.sublet.proto.Allocation toMessage(Allocation allocation) {
    dev.sublet.proto.Allocation.Builder message =
        dev.sublet.proto.Allocation.newBuilder()
            .setBlockIdx(allocation.variable().block())
            .setVariable(PlanNames.encode(allocation.variable().name()))
            .setArena(allocation.arena())
            .setOffset(allocation.offset())
            .setBytes(allocation.bytes());
    for (Interval interval : allocation.live()) {
      message.addLiveBuilder().setBegin(interval.begin()).setEnd(interval.end());
    }
    if (allocation.slots() > 1) {
      message.setSlots(allocation.slots());
    }
    if (allocation.views().isPresent()) {
      message.setViews(MultiViewMessages.toMessage(allocation.views().get()));
    }
    return message.build();
  }

  static MemoryPlan fromMessage(dev.sublet.proto.MemoryPlan message) {
    check(
        message.getPointNumbering() == POINT_NUMBERING,
        "point_numbering is %s; this version knows only %s",
        message.getPointNumbering(),
        POINT_NUMBERING);
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    for (int i = 0; i < message.getArenasCount(); i++) {
      arenas.add(arena(message.getArenas(i), i));
    }
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    for (int i = 0; i < message.getAllocationsCount(); i++) {
      Allocation allocation = allocation(message.getAllocations(i), i, message.getArenasCount());
      check(
          message.getProgramSha256().isEmpty()
              || allocation.live().isEmpty()
              || allocation.live().get(0).begin() >= 0,
          "allocations[%s] ('%s'): live begins at %s, before its program does",
          i,
          message.getAllocations(i).getVariable(),
          allocation.live().isEmpty() ? 0 : allocation.live().get(0).begin());
      allocations.add(allocation);
    }
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    for (dev.sublet.proto.Unplanned entry : message.getUnplannedList()) {
      VariableId variable = variable("unplanned", entry.getBlockIdx(), entry.getVariable());
      unplanned.add(new Unplanned(variable, entry.getReason()));
    }
    ImmutableList.Builder<Alias> aliases = ImmutableList.builder();
    for (dev.sublet.proto.Alias entry : message.getAliasesList()) {
      VariableId variable = variable("aliases", entry.getBlockIdx(), entry.getVariable());
      VariableId of = variable("aliases", entry.getOfBlockIdx(), entry.getOfVariable());
      check(entry.getOffset() >= 0, "aliases: offset is %s", entry.getOffset());
      aliases.add(new Alias(variable, of, entry.getKind(), entry.getOffset()));
    }
    ImmutableList.Builder<UnneededCopy> copies = ImmutableList.builder();
    for (dev.sublet.proto.UnneededCopy entry : message.getCopiesList()) {
      copies.add(copy(entry));
    }
    return new MemoryPlan(
        message.getProgramSha256(),
        message.getPlanner(),
        message.getBatch(),
        feeds(message),
        order(message.getOrder()),
        arenas.build(),
        allocations.build(),
        unplanned.build(),
        aliases.build(),
        copies.build());
  }

  private static ImmutableList<Feed> feeds(dev.sublet.proto.MemoryPlan message) {
    ImmutableList.Builder<Feed> feeds = ImmutableList.builder();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < message.getFeedsCount(); i++) {
      dev.sublet.proto.Feed feed = message.getFeeds(i);
      String where = "feeds[" + i + "] ('" + feed.getName() + "')";
      check(!feed.getName().isEmpty(), "feeds[%s] has no name", i);
      check(names.add(feed.getName()), "%s: there is another one of the name", where);
      for (long extent : feed.getShape().getExtentsList()) {
        check(extent >= 1, "%s: an extent is %s", where, extent);
      }
      ImmutableList.Builder<ImmutableLongArray> levels = ImmutableList.builder();
      for (dev.sublet.proto.Feed.Sequence level : feed.getLevelsList()) {
        levels.add(offsets(level, where));
      }
      Optional<ImmutableLongArray> extents =
          feed.hasShape()
              ? Optional.of(ImmutableLongArray.copyOf(feed.getShape().getExtentsList()))
              : Optional.empty();
      feeds.add(
          new Feed(
              PlanNames.decode(feed.getName()),
              extents,
              levels.build(),
              ImmutableLongArray.copyOf(feed.getValuesList())));
    }
    return feeds.build();
  }

  private static ImmutableLongArray offsets(dev.sublet.proto.Feed.Sequence level, String where) {
    ImmutableLongArray offsets = ImmutableLongArray.copyOf(level.getOffsetsList());
    for (int i = 0; i < offsets.length(); i++) {
      boolean isNext = i == 0 ? offsets.get(i) == 0 : offsets.get(i) >= offsets.get(i - 1);
      check(isNext, "%s: the offsets of a level do not ascend from 0: %s", where, offsets);
    }
    return offsets;
  }

  private static UnneededCopy copy(dev.sublet.proto.UnneededCopy message) {
    check(
        message.getBlockIdx() >= 0 && message.getOpIndex() >= 0,
        "copies: there is no operator %s in a block %s",
        message.getOpIndex(),
        message.getBlockIdx());
    check(message.getBytes() >= 0, "copies: bytes is %s", message.getBytes());
    return new UnneededCopy(
        message.getBlockIdx(),
        message.getOpIndex(),
        variable("copies", message.getFromBlockIdx(), message.getFrom()),
        variable("copies", message.getToBlockIdx(), message.getTo()),
        message.getBytes());
  }

  /** The execution order as plans write it: empty if it is sequential. */
  static String order(ExecutionOrder order) {
    return order == ExecutionOrder.SEQUENTIAL ? "" : Ascii.toLowerCase(order.name());
  }

  private static ExecutionOrder order(String text) {
    for (ExecutionOrder order : ExecutionOrder.values()) {
      if (text.equals(order(order))) {
        return order;
      }
    }
    check(
        text.equals("sequential"),
        "order is '%s'; this version knows only sequential and parallel",
        text);
    return ExecutionOrder.SEQUENTIAL;
  }

  private static Arena arena(dev.sublet.proto.Arena message, int index) {
    String where = "arenas[" + index + "]";
    check(message.getBytes() >= 0, "%s: bytes is %s", where, message.getBytes());
    check(message.getLowerBound() >= 0, "%s: lower_bound is %s", where, message.getLowerBound());
    check(message.getAlignment() >= 1, "%s: alignment is %s", where, message.getAlignment());
    Arena arena =
        new Arena(
            message.getPlace(),
            message.getBytes(),
            message.getLowerBound(),
            message.getAlignment(),
            pool(message, where),
            message.getTraffic(),
            message.getStepOfBlock());
    check(
        arena.stepOfBlock() >= 0 && (arena.pool().isEmpty() || !arena.isStep()),
        "%s: step_of_block is %s",
        where,
        message.getStepOfBlock());
    check(
        message.getProvedOptimal() == arena.isProvedOptimal(),
        "%s: proved_optimal is %s, but bytes is %s and lower_bound %s",
        where,
        message.getProvedOptimal(),
        message.getBytes(),
        message.getLowerBound());
    return arena;
  }

  private static Optional<Pool> pool(dev.sublet.proto.Arena message, String where) {
    long capacity = message.getCapacity();
    check(capacity >= 0, "%s: capacity is %s", where, capacity);
    check(message.getTraffic() >= 0, "%s: traffic is %s", where, message.getTraffic());
    if (message.getPool().isEmpty()) {
      check(capacity == 0, "%s: capacity is %s, but there is no pool", where, capacity);
      check(
          message.getTraffic() == 0,
          "%s: traffic is %s, but there is no pool",
          where,
          message.getTraffic());
      return Optional.empty();
    }
    return Optional.of(new Pool(message.getPool(), capacity == 0 ? Pool.UNLIMITED : capacity));
  }

  private static Allocation allocation(
      dev.sublet.proto.Allocation message, int index, int arenaCount) {
    VariableId variable =
        variable("allocations[" + index + "]", message.getBlockIdx(), message.getVariable());
    String where = "allocations[" + index + "] ('" + message.getVariable() + "')";
    int arena = message.getArena();
    check(
        arena >= 0 && arena < arenaCount,
        "%s: arena is %s, but the plan has %s",
        where,
        arena,
        arenaCount);
    check(message.getOffset() >= 0, "%s: offset is %s", where, message.getOffset());
    check(message.getBytes() >= 0, "%s: bytes is %s", where, message.getBytes());
    check(
        message.getOffset() <= Long.MAX_VALUE - message.getBytes(),
        "%s: offset and bytes exceed 63 bits",
        where);
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    int end = Integer.MIN_VALUE;
    for (int i = 0; i < message.getLiveCount(); i++) {
      dev.sublet.proto.Interval interval = message.getLive(i);
      check(
          interval.getBegin() < interval.getEnd(),
          "%s: live[%s] is empty: begin %s, end %s",
          where,
          i,
          interval.getBegin(),
          interval.getEnd());
      check(
          interval.getBegin() >= end,
          "%s: live[%s] begins at %s, before the one before it ends at %s",
          where,
          i,
          interval.getBegin(),
          end);
      end = interval.getEnd();
      live.add(new Interval(interval.getBegin(), end));
    }
    Optional<MultiView> views =
        message.hasViews()
            ? Optional.of(
                MultiViewMessages.fromMessage(message.getViews(), where, message.getBytes()))
            : Optional.empty();
    check(
        views.isEmpty() || views.get().offset(block -> 0) == message.getOffset(),
        "%s: offset is %s, but its views begin elsewhere",
        where,
        message.getOffset());
    check(message.getSlots() >= 0, "%s: slots is %s", where, message.getSlots());
    return new Allocation(
        variable,
        arena,
        message.getOffset(),
        message.getBytes(),
        live.build(),
        views,
        Math.max(1, message.getSlots()));
  }

  private static VariableId variable(String where, int block, String name) {
    check(block >= 0, "%s: the variable '%s' is in block %s", where, name, block);
    check(!name.isEmpty(), "%s: a variable has no name", where);
    return new VariableId(block, PlanNames.decode(name));
  }

  @FormatMethod
  static void check(boolean condition, String message, Object... arguments) {
    if (!condition) {
      throw ProgramException.unreadable(Location.nowhere(), String.format(message, arguments));
    }
  }
}
