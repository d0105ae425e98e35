package dev.sublet.picture;

import com.google.gson.stream.JsonWriter;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.Link;
import dev.sublet.picture.Picture.Occupant;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import dev.sublet.picture.Picture.PlanPair;
import dev.sublet.picture.TimeAxis.AxisStep;
import dev.sublet.picture.TimeAxis.Presence;
import dev.sublet.picture.TimeAxis.Span;
import dev.sublet.plan.MultiView;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Writes a picture as the data of its HTML page: compact JSON with one array per property, and
 * texts as indices into a table of strings. The JSON can be embedded in a script element, because
 * {@code <}, {@code >} and {@code &} are escaped. {@code model.js}, which reads the arrays,
 * describes them. O(picture).
 */
final class PictureJson {

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
    write(picture.before());
    write(picture.after());
    json.endArray();
    json.name("live").beginArray();
    Curve live = picture.live();
    for (int i = 0; i < live.points().length(); i++) {
      json.value(live.points().get(i)).value(live.bytes().get(i));
    }
    json.endArray();
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
    json.name("label").beginArray();
    for (AxisStep step : axis.steps()) {
      json.value(number(step.label()));
    }
    json.endArray();
    json.name("place").beginArray();
    for (AxisStep step : axis.steps()) {
      json.value(number(step.place()));
    }
    json.endArray();
    // 1: an exit; 2: a copy that need not run; 4: only before; 8: only after.
    json.name("flags").beginArray();
    for (AxisStep step : axis.steps()) {
      json.value((step.isExit() ? 1 : 0) + (step.isSkipped() ? 2 : 0) + flag(step.presence()));
    }
    json.endArray();
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
    json.name("name").beginArray();
    for (Occupant occupant : picture.variables()) {
      json.value(number(occupant.name()));
    }
    json.endArray();
    json.name("block").beginArray();
    for (Occupant occupant : picture.variables()) {
      json.value(occupant.block());
    }
    json.endArray();
    json.name("holder").beginArray();
    for (Occupant occupant : picture.variables()) {
      json.value(occupant.holder());
    }
    json.endArray();
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
    json.name(name).beginArray();
    if (!picture.variables().stream().allMatch(occupant -> text.apply(occupant).isEmpty())) {
      for (Occupant occupant : picture.variables()) {
        json.value(number(text.apply(occupant)));
      }
    }
    json.endArray();
  }

  private void write(PictureStage stage) throws IOException {
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
    writeBoxes(stage);
    json.endObject();
  }

  private void writeBoxes(PictureStage stage) throws IOException {
    // Four numbers per box: variable, arena, offset, bytes.
    json.name("boxes").beginArray();
    for (Box box : stage.boxes()) {
      json.value(box.variable()).value(box.arena()).value(box.offset()).value(box.bytes());
    }
    json.endArray();
    json.name("pieceCounts").beginArray();
    for (Box box : stage.boxes()) {
      json.value(box.pieces().size());
    }
    json.endArray();
    json.name("pieces").beginArray();
    for (Box box : stage.boxes()) {
      for (Piece piece : box.pieces()) {
        json.value(piece.begin()).value(piece.end());
      }
    }
    json.endArray();
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
