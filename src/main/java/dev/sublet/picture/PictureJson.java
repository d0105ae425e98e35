package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import com.google.gson.stream.JsonWriter;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.Link;
import dev.sublet.picture.Picture.Occupant;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import dev.sublet.picture.Picture.PlanPair;
import dev.sublet.picture.TimeAxis.Presence;
import dev.sublet.picture.TimeAxis.Span;
import dev.sublet.plan.MultiView;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Writes a picture as the data of its HTML page: compact JSON with one array per property, and
 * texts as indices into a table of strings. In an array of numbers, {@code [n, d]} stands for n
 * numbers that each exceed the one before by d. The JSON can be embedded in a script element,
 * because {@code <}, {@code >} and {@code &} are escaped. {@code model.js}, which reads the arrays,
 * describes them. O(picture).
 */
final class PictureJson {

  /** The least count of numbers with equal steps that is written in short. */
  private static final int SHORTENED = 16;

  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final StringWriter text = new StringWriter();
  private final JsonWriter json = new JsonWriter(text);

  private PictureJson() {}

  /** Returns the data of a picture. */
  static String of(Picture picture) {
    PictureJson data = new PictureJson();
    try {
      data.write(picture);
    } catch (IOException e) {
      throw new UncheckedIOException("a StringWriter has failed", e);
    }
    return data.text.toString();
  }

  private void write(Picture picture) throws IOException {
    json.setHtmlSafe(true);
    json.beginObject();
    json.name("title").value(picture.title());
    if (picture.comparison().isPresent()) {
      write(picture.comparison().get());
    }
    json.name("pointsPerStep").value(picture.axis().pointsPerStep());
    writeSteps(picture.axis());
    json.name("spans").beginArray();
    for (Span span : picture.axis().spans()) {
      json.beginArray();
      json.value(span.head()).value(span.exit()).value(span.block());
      json.value(number(span.label())).value(span.isLoop() ? 1 : 0).value(span.depth());
      json.endArray();
    }
    json.endArray();
    writeVariables(picture);
    json.name("stages").beginArray();
    write(picture.before(), byBegin(picture.after()).equals(boxes(picture.before())));
    write(picture.after(), /* isReordered= */ false);
    json.endArray();
    Curve live = picture.live();
    json.name("live").beginObject();
    column("points", live.points().stream().asLongStream());
    column("bytes", live.bytes().stream());
    json.endObject();
    json.name("links").beginArray();
    for (Link link : picture.links()) {
      json.value(link.variable()).value(link.of()).value(number(link.kind()));
    }
    json.endArray();
    json.name("strings").beginArray();
    for (String string : strings.keySet()) {
      json.value(string);
    }
    json.endArray();
    json.endObject();
  }

  private void write(PlanPair comparison) throws IOException {
    json.name("comparison").beginObject();
    json.name("before").value(comparison.before());
    json.name("after").value(comparison.after());
    json.name("facts").beginArray();
    for (String fact : comparison.facts()) {
      json.value(fact);
    }
    json.endArray().endObject();
  }

  private void writeSteps(TimeAxis axis) throws IOException {
    json.name("steps").beginObject();
    column("label", axis.steps().stream().mapToLong(step -> number(step.label())));
    column("place", axis.steps().stream().mapToLong(step -> number(step.place())));
    // 1: an exit; 2: a copy that need not run; 4: only before; 8: only after.
    column(
        "flags",
        axis.steps().stream()
            .mapToLong(
                step ->
                    (step.isExit() ? 1 : 0) + (step.isSkipped() ? 2 : 0) + flag(step.presence())));
    json.endObject();
  }

  private static int flag(Presence presence) {
    return switch (presence) {
      case BOTH -> 0;
      case BEFORE -> 4;
      case AFTER -> 8;
    };
  }

  private void writeVariables(Picture picture) throws IOException {
    json.name("variables").beginObject();
    column("name", picture.variables().stream().mapToLong(each -> number(each.name())));
    column("block", picture.variables().stream().mapToLong(Occupant::block));
    column("holder", picture.variables().stream().mapToLong(Occupant::holder));
    writeTexts("type", picture, Occupant::type);
    writeTexts("notes", picture, Occupant::notes);
    writeTexts("kind", picture, occupant -> occupant.origin().kind());
    writeTexts("position", picture, occupant -> occupant.origin().position());
    writeTexts("code", picture, occupant -> occupant.origin().code());
    // Only where a type says it: index and bytes.
    json.name("declared").beginArray();
    for (int i = 0; i < picture.variables().size(); i++) {
      if (picture.variables().get(i).declaredBytes() >= 0) {
        json.value(i).value(picture.variables().get(i).declaredBytes());
      }
    }
    json.endArray();
    json.endObject();
  }

  /** Writes one text per variable; an empty array if all texts are empty. */
  private void writeTexts(String name, Picture picture, Function<Occupant, String> text)
      throws IOException {
    boolean isEmpty =
        picture.variables().stream().allMatch(occupant -> text.apply(occupant).isEmpty());
    column(
        name,
        isEmpty
            ? LongStream.of()
            : picture.variables().stream().mapToLong(occupant -> number(text.apply(occupant))));
  }

  /** What a box is, wherever it lies. */
  private record Unplaced(int variable, int arena, long bytes, ImmutableList<Piece> pieces) {}

  private static List<Unplaced> boxes(PictureStage stage) {
    return stage.boxes().stream()
        .map(box -> new Unplaced(box.variable(), box.arena(), box.bytes(), box.pieces()))
        .toList();
  }

  /** The boxes of a stage in the order in which they begin; on a tie, in their own order. */
  private static List<Unplaced> byBegin(PictureStage stage) {
    List<Unplaced> boxes = new ArrayList<>(boxes(stage));
    boxes.sort(Comparator.comparingInt(box -> box.pieces().get(0).begin()));
    return boxes;
  }

  /**
   * Writes a stage.
   *
   * @param isReordered whether its boxes are those of the stage after, in the order in which they
   *     begin, each placed on the one before it: they need not be written
   */
  private void write(PictureStage stage, boolean isReordered) throws IOException {
    json.beginObject();
    json.name("meaning").value(stage.meaning());
    json.name("held").value(stage.held() ? 1 : 0);
    json.name("arenas").beginArray();
    for (ArenaBand arena : stage.arenas()) {
      json.beginArray();
      json.value(arena.label()).value(arena.bytes()).value(arena.lowerBound());
      json.value(arena.isStep() ? 1 : 0);
      json.endArray();
    }
    json.endArray();
    if (isReordered && isStacked(stage)) {
      json.name("reordered").value(1);
    } else {
      writeBoxes(stage);
    }
    json.endObject();
  }

  private void writeBoxes(PictureStage stage) throws IOException {
    column("variable", stage.boxes().stream().mapToLong(Box::variable));
    column("arena", stage.boxes().stream().mapToLong(Box::arena));
    // Nothing if each box lies on the one before it in its arena.
    column(
        "offset",
        isStacked(stage) ? LongStream.of() : stage.boxes().stream().mapToLong(Box::offset));
    column("bytes", stage.boxes().stream().mapToLong(Box::bytes));
    column("pieceCounts", stage.boxes().stream().mapToLong(box -> box.pieces().size()));
    List<Piece> pieces = stage.boxes().stream().flatMap(box -> box.pieces().stream()).toList();
    // How much later each piece begins than the one before it, and how long it lives.
    column(
        "begin",
        IntStream.range(0, pieces.size())
            .mapToLong(i -> pieces.get(i).begin() - (i == 0 ? 0 : pieces.get(i - 1).begin())));
    column("length", pieces.stream().mapToLong(piece -> piece.end() - piece.begin()));
    // Nothing if each piece has the variable of its box.
    boolean isDivided =
        stage.boxes().stream()
            .anyMatch(box -> box.pieces().stream().anyMatch(p -> p.variable() != box.variable()));
    column("tenant", isDivided ? pieces.stream().mapToLong(Piece::variable) : LongStream.of());
    writeWindows(stage);
    json.name("views").beginArray();
    for (int i = 0; i < stage.boxes().size(); i++) {
      if (stage.boxes().get(i).views().isPresent()) {
        json.beginArray().value(i);
        write(stage.boxes().get(i).views().get());
        json.endArray();
      }
    }
    json.endArray();
  }

  private static boolean isStacked(PictureStage stage) {
    long[] tops = new long[stage.arenas().size()];
    for (Box box : stage.boxes()) {
      if (box.offset() != tops[box.arena()]) {
        return false;
      }
      tops[box.arena()] += box.bytes();
    }
    return true;
  }

  /** Writes numbers, with long stretches of equal steps in short. */
  private void column(String name, LongStream stream) throws IOException {
    long[] numbers = stream.toArray();
    json.name(name).beginArray();
    for (int i = 0; i < numbers.length; ) {
      int end = i;
      while (i > 0 && end < numbers.length && numbers[end] - numbers[end - 1] == step(numbers, i)) {
        end++;
      }
      if (end - i >= SHORTENED) {
        json.beginArray().value(end - i).value(step(numbers, i)).endArray();
        i = end;
      } else {
        json.value(numbers[i++]);
      }
    }
    json.endArray();
  }

  private static long step(long[] numbers, int i) {
    return numbers[i] - numbers[i - 1];
  }

  /**
   * Writes the pieces that have fewer bytes than their box: the piece's number, its first byte, its
   * end.
   */
  private void writeWindows(PictureStage stage) throws IOException {
    json.name("windows").beginArray();
    int number = 0;
    for (Box box : stage.boxes()) {
      for (Piece piece : box.pieces()) {
        if (piece.low() > 0 || piece.high() < box.bytes()) {
          json.value(number).value(piece.low()).value(piece.high());
        }
        number++;
      }
    }
    json.endArray();
  }

  /**
   * Writes an offset, or for a rotation: the loop's block, the first view or null, and the list of
   * views.
   */
  private void write(MultiView view) throws IOException {
    if (view instanceof MultiView.FixedView fixed) {
      json.value(fixed.offset());
    } else if (view instanceof MultiView.Rotation rotation) {
      json.beginArray().value(rotation.block());
      if (rotation.first().isPresent()) {
        write(rotation.first().get());
      } else {
        json.nullValue();
      }
      json.beginArray();
      for (MultiView next : rotation.views()) {
        write(next);
      }
      json.endArray().endArray();
    }
  }

  private int number(String string) {
    Integer known = strings.putIfAbsent(string, strings.size());
    return known == null ? strings.size() - 1 : known;
  }
}
