package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.diag.ByteText;
import dev.sublet.peak.Lever;
import dev.sublet.peak.Levers;
import dev.sublet.peak.PeakTensor;
import dev.sublet.peak.PlanPeak;
import dev.sublet.program.Names;
import dev.sublet.program.SourceLine;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.TextTable;
import dev.sublet.report.format.WrittenFile;
import java.util.Locale;
import java.util.Optional;

/**
 * The peak of a plan, what is in use then, and what would make it smaller.
 *
 * @param peak the peak
 * @param arenaBytes the bytes of all arenas of the plan
 * @param levers the changes that help
 * @param written the change whose program was written; empty if none was
 */
public record PeakReport(
    PlanPeak peak, long arenaBytes, Levers levers, Optional<WrittenChange> written)
    implements Report {

  /**
   * A change whose program was written.
   *
   * @param number its position among the changes that help, from 1
   * @param file the file
   */
  public record WrittenChange(long number, WrittenFile file) {}

  /** The rows of the text; {@link #json} has all. */
  private static final int MOST_ROWS = 20;

  @Override
  public String text() {
    return "peak: "
        + ByteText.inWords(peak.bytes())
        + " of an arena of "
        + ByteText.inWords(peak.arenaBytes())
        + ", at "
        + peak.at()
        + "\n"
        + unplanned()
        + "\n"
        + tensors()
        + "\n"
        + changes()
        + written.map(PeakReport::words).orElse("");
  }

  private static String words(WrittenChange change) {
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    WrittenFile.addRows(table, ImmutableList.of(change.file()));
    return "\napplied: change " + change.number() + "\n" + table;
  }

  private String unplanned() {
    return peak.unplanned() == 0
        ? ""
        : "not counted: "
            + Quantity.count(peak.unplanned())
            + " values that the plan leaves to the runtime; 'sublet plan' says why\n";
  }

  private String tensors() {
    TextTable table =
        new TextTable(
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT);
    table.row(
        "bytes",
        "share",
        "peak without",
        "kind",
        "variable",
        "written by",
        "last read by",
        "source");
    int rows = Math.min(MOST_ROWS, peak.tensors().size());
    for (PeakTensor tensor : peak.tensors().subList(0, rows)) {
      table.row(
          Quantity.bytes(tensor.bytes()),
          String.format(Locale.ROOT, "%.1f %%", 100.0 * tensor.bytes() / peak.bytes()),
          ByteText.count(tensor.without()),
          tensor.kind().word(),
          Names.display(tensor.variable().name()),
          tensor.writtenBy().orElse("-"),
          tensor.lastReadBy().orElse("kept until the end"),
          tensor.source().map(SourceLine::words).orElse(""));
    }
    int rest = peak.tensors().size() - rows;
    return table
        + (rest == 0 ? "" : "and " + Quantity.count(rest) + " smaller ones\n")
        + bottleneck();
  }

  /** The tensor without which the peak is the smallest. */
  private String bottleneck() {
    Optional<PeakTensor> bottleneck = peak.bottleneck();
    return bottleneck
        .map(
            tensor ->
                "bottleneck: '"
                    + Names.display(tensor.variable().name())
                    + "'; without it the peak is "
                    + ByteText.exact(tensor.without())
                    + "\n")
        .orElse("bottleneck: no single tensor; without any one of them the peak is the same\n");
  }

  private String changes() {
    String tried = levers.tried() + " planned, each by itself and proved";
    if (levers.levers().isEmpty()) {
      return "no change found that makes the arena smaller (" + tried + ")\n" + limits();
    }
    TextTable table =
        new TextTable(
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.NUMBER,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT);
    table.row("no.", "arena", "saved", "change", "price");
    int number = 0;
    for (Lever lever : levers.levers()) {
      number++;
      table.row(
          ByteText.count(number),
          Quantity.bytes(lever.arenaBytes()),
          String.format(Locale.ROOT, "%.1f %%", 100.0 * saved(lever) / arenaBytes),
          lever.change(),
          lever.price());
    }
    return "changes that make the arena smaller (" + tried + "):\n" + table + limits();
  }

  private String limits() {
    String halves =
        levers.noHalves().map(reason -> "halves of the batch: " + reason + "\n").orElse("");
    return "order of operators: " + levers.order().words() + "\n" + halves;
  }

  private long saved(Lever lever) {
    return arenaBytes - lever.arenaBytes();
  }

  @Override
  public String json() {
    JsonObject object = new JsonObject();
    object.addProperty("bytes", peak.bytes());
    object.addProperty("arena_bytes", peak.arenaBytes());
    object.addProperty("node", peak.node());
    object.addProperty("at", peak.at());
    object.addProperty("unplanned", peak.unplanned());
    object.add(
        "bottleneck",
        peak.bottleneck()
            .<JsonElement>map(tensor -> JsonText.variable(tensor.variable().id()))
            .orElse(JsonNull.INSTANCE));
    JsonArray tensors = new JsonArray();
    peak.tensors().forEach(tensor -> tensors.add(json(tensor)));
    object.add("tensors", tensors);
    JsonArray changes = new JsonArray();
    for (Lever lever : levers.levers()) {
      JsonObject entry = new JsonObject();
      entry.addProperty("change", lever.change());
      entry.addProperty("price", lever.price());
      entry.addProperty("flops", lever.flops().isPresent() ? lever.flops().getAsLong() : null);
      entry.addProperty("arena_bytes", lever.arenaBytes());
      entry.addProperty("saved_bytes", saved(lever));
      entry.addProperty("changes_program", lever.program().isPresent());
      changes.add(entry);
    }
    object.add("changes", changes);
    object.addProperty("changes_planned", levers.tried());
    object.addProperty("order", levers.order().name().toLowerCase(Locale.ROOT));
    levers.noHalves().ifPresent(reason -> object.addProperty("halves", reason));
    if (written.isPresent()) {
      object.addProperty("applied", written.get().number());
      WrittenFile.addTo(object, ImmutableList.of(written.get().file()));
    }
    return JsonText.print(object);
  }

  private static JsonObject json(PeakTensor tensor) {
    JsonObject object = JsonText.variable(tensor.variable().id());
    object.addProperty("bytes", tensor.bytes());
    object.addProperty("kind", tensor.kind().word());
    object.addProperty("written_by", tensor.writtenBy().orElse(null));
    object.addProperty("last_read_by", tensor.lastReadBy().orElse(null));
    object.addProperty("peak_without", tensor.without());
    object.add("source", JsonText.source(tensor.source()));
    return object;
  }
}
