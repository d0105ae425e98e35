package dev.sublet.testing.random;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import dev.sublet.program.Program;
import dev.sublet.proto.ProgramDesc;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A random program in the making: its blocks, fresh names, and random choices among variables. */
final class ProgramDraft {

  /** The types of ordinary data. */
  private static final List<String> DATA_TYPES =
      Splitter.on(' ')
          .splitToList(
              "fp32[-1,8] fp32[-1,16] fp32[4,4] fp32[64] fp32[1] fp32[256] fp16[32] int32[-1,4]");

  /** The types of data in programs with views: one length, its halves and its double. */
  private static final List<String> VIEW_TYPES =
      Splitter.on(' ').splitToList("fp32[16] fp32[16] fp32[4,4] fp32[1,16] fp32[8] fp32[32]");

  /** What the statements of a program are like. */
  enum Style {
    /** Types need not fit. */
    ANY,
    /** Many operators only move bytes, and their shapes fit. */
    VIEWS,
    /** All types fit. */
    TYPED
  }

  private final Style style;
  private final SplittableRandom random;
  private final List<BlockDraft> blocks = new ArrayList<>();

  /** Names that only the statement that made them may write. */
  private final Set<String> reserved = new LinkedHashSet<>();

  /** Names that {@link #readable} has returned. */
  private final Set<String> read = new LinkedHashSet<>();

  private int names;

  ProgramDraft(long seed, Style style) {
    this.style = style;
    random = new SplittableRandom(seed);
  }

  BlockDraft addBlock(@Nullable BlockDraft parent, @Nullable BlockDraft forward) {
    BlockDraft block = new BlockDraft(blocks.size(), parent, forward);
    blocks.add(block);
    return block;
  }

  BlockDraft block(int index) {
    return blocks.get(index);
  }

  /** True with that percentage. */
  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int number(int bound) {
    return random.nextInt(bound);
  }

  <T> T pick(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  String dataType() {
    return switch (style) {
      case ANY -> pick(DATA_TYPES);
      case VIEWS -> pick(VIEW_TYPES);
      case TYPED -> pick(TypedStatements.TYPES);
    };
  }

  /** Whether the program is to have many operators that only move bytes. */
  boolean hasViews() {
    return style == Style.VIEWS;
  }

  /** Whether all types are to fit. */
  boolean isTyped() {
    return style == Style.TYPED;
  }

  /** Readable variables with one of the types; empty if there is none. */
  List<String> readables(BlockDraft block, List<String> types) {
    List<String> names = new ArrayList<>();
    for (String name : readables(block)) {
      if (types.contains(type(block, name))) {
        names.add(name);
      }
    }
    return names;
  }

  String freshName(String prefix) {
    return prefix + names++;
  }

  /** Declares a new variable of the block. */
  String fresh(BlockDraft block, String prefix, String type) {
    return block.declare(freshName(prefix), type);
  }

  /** Declares a new variable that no other statement may write. */
  String reserve(BlockDraft block, String prefix, String type) {
    return declareReserved(block, freshName(prefix), type);
  }

  /** Declares a variable of that name that no other statement may write. */
  String declareReserved(BlockDraft block, String name, String type) {
    reserved.add(name);
    return block.declare(name, type);
  }

  /** Lets other statements write the variable. */
  void release(String name) {
    reserved.remove(name);
  }

  /**
   * A data variable to read, which surely has a value; there always is one. Often one that nothing
   * has read yet, so that most values have an effect in the end.
   */
  String readable(BlockDraft block) {
    List<String> names = readables(block);
    List<String> news = new ArrayList<>(names);
    news.removeAll(read);
    String name = pick(!news.isEmpty() && chance(60) ? news : names);
    read.add(name);
    block.use(name);
    return name;
  }

  /** All data variables that surely have a value. */
  List<String> readables(BlockDraft block) {
    List<String> names = new ArrayList<>();
    for (String name : block.visible()) {
      if (isData(block, name) && block.isDefined(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private boolean isData(BlockDraft block, String name) {
    String type = type(block, name);
    return CharMatcher.is('[').countIn(type) == 1
        && CharMatcher.is(' ').matchesNoneOf(type.replace(" lod(1)", ""))
        && !type.startsWith("fp32[0,")
        && !type.startsWith("bool")
        && !type.startsWith("int64");
  }

  /** A visible variable's type without its flags. */
  static String type(BlockDraft block, String name) {
    return block.typeOf(name).replace(" persistable", "").replace(" check_feed", "");
  }

  /** A variable of the type to write: a new one, one that hides an outer one, or an old one. */
  String writable(BlockDraft block, String type) {
    List<String> old = new ArrayList<>();
    List<String> hidden = new ArrayList<>();
    for (String name : block.visible()) {
      boolean free = !reserved.contains(name) && !block.typeOf(name).contains(" ");
      if (free && block.typeOf(name).equals(type)) {
        old.add(name);
      }
      if (free && isData(block, name) && !block.declares(name) && !block.uses(name)) {
        hidden.add(name);
      }
    }
    if (!old.isEmpty() && chance(35)) {
      String name = pick(old);
      read.remove(name);
      return name;
    }
    if (!hidden.isEmpty() && chance(6)) {
      return block.declare(pick(hidden), type);
    }
    return fresh(block, "t", type);
  }

  /** An outer variable to write, which has a value already; empty if there is none. */
  String outerWritable(BlockDraft block) {
    List<String> names = new ArrayList<>();
    for (String name : readables(block)) {
      if (!block.declares(name) && !reserved.contains(name) && !block.typeOf(name).contains(" ")) {
        names.add(name);
      }
    }
    if (names.isEmpty()) {
      return "";
    }
    String name = pick(names);
    read.remove(name);
    block.use(name);
    return name;
  }

  Program build() {
    ProgramDesc.Builder program = ProgramDesc.newBuilder();
    program.getVersionBuilder().setVersion(2004000);
    for (BlockDraft block : blocks) {
      program.addBlocks(block.build());
    }
    return Program.of(program.build());
  }
}
