package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import dev.sublet.diag.ByteText;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Occupant;
import dev.sublet.picture.Picture.Origin;
import dev.sublet.picture.Picture.PictureStage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a picture as an HTML page with zoom, search and details on demand. The page is one file
 * without dependencies. Its content security policy allows its own script only, and forbids it to
 * load anything. If scripts do not run, and in print, the page shows the {@link SvgPicture}, the
 * variables at the peak, and a table of the largest variables. O(boxes × log).
 */
public final class HtmlPicture {

  /** The parts of the script, in the order in which it needs them. */
  private static final String[] SCRIPTS = {
    "model.js",
    "index.js",
    "view.js",
    "pixels.js",
    "steps.js",
    "colors.js",
    "axis.js",
    "surroundings.js",
    "marks.js",
    "paint.js",
    "live.js",
    "sharers.js",
    "panel.js",
    "pointer.js",
    "search.js",
    "keys.js",
    "controls.js",
    "fragment.js",
    "page.js",
    "start.js"
  };

  private static final int ROWS = 40;

  private HtmlPicture() {}

  /** Returns the page. */
  public static byte[] toBytes(Picture picture) {
    String style = Resource.read("page.css") + Resource.read("picture.svg.css");
    StringBuilder script = new StringBuilder("'use strict';\n");
    for (String part : SCRIPTS) {
      script.append(Resource.read(part));
    }
    String page = Resource.read("page.html");
    // The parts from the input are inserted last, so that no placeholder is replaced in them.
    page = page.replace("@policy@", policy(script.toString(), style));
    page = page.replace("@style@", style);
    page = page.replace("@script@", script);
    String[] around = page.split("@(title|static|data)@", -1);
    String full =
        around[0]
            + SvgText.escape(picture.title())
            + around[1]
            + staticParts(picture)
            + around[2]
            + PictureJson.of(picture)
            + around[3];
    return full.getBytes(StandardCharsets.UTF_8);
  }

  private static String policy(String script, String style) {
    return "default-src 'none'; script-src '"
        + hash(script)
        + "'; style-src '"
        + hash(style)
        + "'; base-uri 'none'; form-action 'none'";
  }

  private static String hash(String text) {
    byte[] digest = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
    return "sha256-" + BaseEncoding.base64().encode(digest);
  }

  private static String staticParts(Picture picture) {
    return SvgPicture.element(picture) + peak(picture) + table(picture);
  }

  /** The table of the variables that are live at the peak; empty if nothing ever is. */
  private static String peak(Picture picture) {
    ImmutableList<PeakRow> rows = PeakRow.of(picture);
    if (rows.isEmpty()) {
      return "";
    }
    long most = picture.live().bytes().get(picture.live().peak());
    int shown = Math.min(ROWS, rows.size());
    StringBuilder table = new StringBuilder();
    table.append("<table><caption>The peak").append(SvgText.escape(Summary.peak(picture)));
    table.append(shown < rows.size() ? "; the " + shown + " largest of " + rows.size() : "");
    table.append("</caption>\n<thead><tr><th>variable<th>bytes<th>share<th>kind<th>from<th>to");
    table.append("<th>source</tr></thead>\n<tbody>\n");
    for (PeakRow row : rows.subList(0, shown)) {
      Occupant occupant = picture.variables().get(row.variable());
      Origin origin = occupant.origin();
      table.append("<tr><td>").append(SvgText.escape(occupant.name()));
      table.append("<td>").append(ByteText.count(row.bytes()));
      table.append("<td>").append(Labels.percent(row.bytes(), most));
      table.append("<td>").append(SvgText.escape(origin.kind()));
      table.append("<td>").append(SvgText.escape(picture.axis().describe(row.first())));
      table.append("<td>").append(SvgText.escape(picture.axis().describe(row.last())));
      String code = origin.code().isEmpty() ? "" : ": " + origin.code();
      table.append("<td>").append(SvgText.escape(origin.position() + code)).append("</tr>\n");
    }
    return table.append("</tbody></table>\n").toString();
  }

  /** The table of the largest boxes of the stage after, with their offsets and lifetimes. */
  private static String table(Picture picture) {
    PictureStage after = picture.after();
    List<Box> boxes = new ArrayList<>(after.boxes());
    // Stable: boxes of one size stay in the order of the plan.
    boxes.sort((a, b) -> Long.compare(b.bytes(), a.bytes()));
    int shown = Math.min(ROWS, boxes.size());
    StringBuilder table = new StringBuilder();
    table.append("<table><caption>");
    table.append(shown < boxes.size() ? "The " + shown + " largest of " : "All ");
    table.append(boxes.size()).append(" allocations</caption>\n");
    table.append(
        "<thead><tr><th>variable<th>bytes<th>offset<th>from<th>to</tr></thead>\n<tbody>\n");
    for (Box box : boxes.subList(0, shown)) {
      int end = box.pieces().get(box.pieces().size() - 1).end();
      table.append("<tr><td>");
      table.append(SvgText.escape(picture.variables().get(box.variable()).name()));
      table.append("<td>").append(ByteText.count(box.bytes()));
      table.append("<td>").append(ByteText.count(box.offset()));
      table.append("<td>").append(SvgText.escape(picture.axis().describe(box.begin())));
      table.append("<td>").append(SvgText.escape(picture.axis().describe(end - 1)));
      table.append("</tr>\n");
    }
    return table.append("</tbody></table>\n").toString();
  }
}
