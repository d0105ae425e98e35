package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.diag.VisibleText;
import dev.sublet.report.format.JsonText;
import dev.sublet.runtime.micro.fuse.Refusal;
import dev.sublet.runtime.micro.fuse.Simplified;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.Optional;

/**
 * A micro program in one of its forms.
 *
 * @param form {@code op}, {@code loops} or {@code c}
 * @param program the program's text
 * @param simplified the result of simplifying its loops, if they were simplified
 */
public record MicroReport(String form, String program, Optional<Simplified> simplified)
    implements Report {

  /** Returns only the program, so that the text can be parsed again. */
  @Override
  public String text() {
    return program;
  }

  /** Describes the simplification, in comments in the language of the program. */
  @Override
  public String details() {
    if (simplified.isEmpty()) {
      return "";
    }
    String comment = form.equals("c") ? "// " : "# ";
    Simplified result = simplified.get();
    StringBuilder text = new StringBuilder();
    text.append(comment).append("blocks: ").append(result.blocksBefore()).append(" before, ");
    text.append(result.blocksAfter()).append(" after\n");
    addTensors(comment + "removed", result.removed(), text);
    addTensors(comment + "of one element now", result.shrunk(), text);
    for (Refusal refusal : result.refusals()) {
      text.append(comment).append("not merged: ").append(VisibleText.of(refusal.producer()));
      text.append(" and ").append(VisibleText.of(refusal.consumer()));
      text.append(" (").append(VisibleText.of(refusal.reason())).append(")\n");
    }
    return text.toString();
  }

  private static void addTensors(
      String what, ImmutableList<TensorDeclaration> tensors, StringBuilder text) {
    for (TensorDeclaration tensor : tensors) {
      text.append(what).append(": ").append(VisibleText.of(tensor.name()));
      text.append(": ").append(tensor.type()).append(tensor.shape()).append('\n');
    }
  }

  @Override
  public String json() {
    JsonObject object = new JsonObject();
    object.addProperty("form", form);
    object.addProperty("program", program);
    if (simplified.isPresent()) {
      Simplified result = simplified.get();
      object.addProperty("blocks_before", result.blocksBefore());
      object.addProperty("blocks_after", result.blocksAfter());
      object.add("removed", tensors(result.removed()));
      object.add("shrunk", tensors(result.shrunk()));
      JsonArray refusals = new JsonArray();
      for (Refusal refusal : result.refusals()) {
        JsonObject entry = new JsonObject();
        entry.addProperty("producer", refusal.producer());
        entry.addProperty("consumer", refusal.consumer());
        entry.addProperty("tensor", refusal.tensor());
        entry.addProperty("reason", refusal.reason());
        refusals.add(entry);
      }
      object.add("not_merged", refusals);
    }
    return JsonText.print(object);
  }

  private static JsonArray tensors(ImmutableList<TensorDeclaration> tensors) {
    JsonArray array = new JsonArray(tensors.size());
    for (TensorDeclaration tensor : tensors) {
      JsonObject object = new JsonObject();
      object.addProperty("name", tensor.name());
      object.addProperty("type", tensor.type().toString());
      JsonArray shape = new JsonArray();
      tensor.shape().forEach(extent -> shape.add(extent.toString()));
      object.add("shape", shape);
      array.add(object);
    }
    return array;
  }
}
