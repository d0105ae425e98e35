package dev.sublet.testing.random;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** Adds random statements that only move bytes: their shapes fit, so the catalog finds views. */
final class ViewStatements {

  private static final ImmutableList<String> WHOLE =
      ImmutableList.of("fp32[16]", "fp32[4,4]", "fp32[1,16]");
  private static final ImmutableList<String> HALF = ImmutableList.of("fp32[8]");
  private static final ImmutableList<String> DOUBLE = ImmutableList.of("fp32[32]");

  private final ProgramDraft draft;

  ViewStatements(ProgramDraft draft) {
    this.draft = draft;
  }

  /** Adds one statement; one without views if there is nothing to view. */
  void add(BlockDraft block) {
    switch (draft.number(8)) {
      case 0, 1 -> addReshape(block);
      case 2 -> addCopy(block);
      case 3 -> addConcat(block, HALF, "fp32[16]");
      case 4 -> addConcat(block, ImmutableList.of("fp32[16]"), "fp32[32]");
      case 5 -> addSplit(block, DOUBLE, "fp32[16]");
      case 6 -> addSplit(block, ImmutableList.of("fp32[16]"), "fp32[8]");
      default -> addSlice(block);
    }
  }

  /** A variable of one of the types; a new one if there is none. */
  private String input(BlockDraft block, List<String> types) {
    List<String> names = draft.readables(block, types);
    if (!names.isEmpty() && draft.chance(90)) {
      String name = draft.pick(names);
      block.use(name);
      return name;
    }
    String name = draft.fresh(block, "v", draft.pick(types));
    String source = draft.readable(block);
    block.add(new OperationDraft("mystery_a").in("A", source).out("B", name));
    return name;
  }

  private void addReshape(BlockDraft block) {
    String input = input(block, WHOLE);
    switch (draft.number(3)) {
      case 0 ->
          block.add(
              new OperationDraft("reshape2")
                  .in("X", input)
                  .out("Out", draft.writable(block, "fp32[4,4]"))
                  .out("XShape", draft.fresh(block, "shape", "fp32[0,16]"))
                  .numbers("shape", 4, 4));
      case 1 ->
          block.add(
              new OperationDraft("reshape2")
                  .in("X", input)
                  .out("Out", draft.writable(block, "fp32[16]"))
                  .out("XShape", draft.fresh(block, "shape", "fp32[0,16]"))
                  .numbers("shape", -1));
      default ->
          block.add(
              new OperationDraft("reshape2")
                  .in("X", input)
                  .out("Out", draft.writable(block, "fp32[1,16]"))
                  .numbers("shape", 1, 16));
    }
  }

  private void addCopy(BlockDraft block) {
    String input = draft.readable(block);
    String output = draft.writable(block, ProgramDraft.type(block, input));
    if (draft.chance(50)) {
      block.add(new OperationDraft("assign").in("X", input).out("Out", output));
    } else if (!input.equals(output)) {
      block.add(
          new OperationDraft("scale")
              .in("X", input)
              .out("Out", output)
              .real("scale", draft.chance(70) ? 1 : 2));
    }
  }

  private void addConcat(BlockDraft block, List<String> types, String result) {
    String first = input(block, types);
    String second = draft.chance(15) ? first : input(block, types);
    block.add(
        new OperationDraft("concat")
            .in("X", first, second)
            .out("Out", draft.writable(block, result))
            .number("axis", 0));
  }

  private void addSplit(BlockDraft block, List<String> types, String part) {
    String input = input(block, types);
    String first = draft.writable(block, part);
    String second = draft.fresh(block, "part", part);
    block.add(
        new OperationDraft("split")
            .in("X", input)
            .out("Out", first, second)
            .number("axis", 0)
            .number("num", 2));
  }

  private void addSlice(BlockDraft block) {
    String input = input(block, ImmutableList.of("fp32[16]"));
    int start = 4 * draft.number(3);
    block.add(
        new OperationDraft("slice")
            .in("Input", input)
            .out("Out", draft.writable(block, "fp32[8]"))
            .numbers("axes", 0)
            .numbers("starts", start)
            .numbers("ends", start + 8));
  }
}
