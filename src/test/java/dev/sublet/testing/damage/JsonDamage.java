package dev.sublet.testing.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** JSON as a tree: members and elements lost, repeated, of other types, nested deeply. */
public final class JsonDamage implements Damage {

  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .serializeSpecialFloatingPointValues()
          .disableHtmlEscaping()
          .setPrettyPrinting()
          .create();

  @Override
  public byte[] apply(byte[] bytes, SplittableRandom random) {
    Optional<JsonElement> tree = parse(bytes);
    if (tree.isEmpty()) {
      return bytes;
    }
    List<JsonElement> containers = new ArrayList<>();
    collect(tree.get(), containers);
    if (containers.isEmpty()) {
      return print(odd(tree.get(), random));
    }
    JsonElement container = containers.get(random.nextInt(containers.size()));
    JsonElement other = containers.get(random.nextInt(containers.size()));
    if (container instanceof JsonObject object && object.size() > 0) {
      change(object, other, random);
    } else if (container instanceof JsonArray array && array.size() > 0) {
      change(array, other, random);
    }
    return print(tree.get());
  }

  private static void change(JsonObject object, JsonElement other, SplittableRandom random) {
    List<String> names = new ArrayList<>(object.keySet());
    String name = names.get(random.nextInt(names.size()));
    JsonElement value = object.get(name);
    switch (random.nextInt(5)) {
      case 0 -> object.remove(name);
      case 1 -> object.add(OddValues.text(random), value);
      case 2 -> object.add(name, other.deepCopy());
      case 3 -> object.add(name, object.get(names.get(random.nextInt(names.size()))).deepCopy());
      default -> object.add(name, odd(value, random));
    }
  }

  private static void change(JsonArray array, JsonElement other, SplittableRandom random) {
    int at = random.nextInt(array.size());
    JsonElement element = array.get(at);
    switch (random.nextInt(5)) {
      case 0 -> array.remove(at);
      case 1 -> {
        for (int i = OddValues.times(random); i > 0; i--) {
          array.add(element.deepCopy());
        }
      }
      case 2 -> array.set(at, other.deepCopy());
      case 3 -> array.set(at, array.get(random.nextInt(array.size())).deepCopy());
      default -> array.set(at, odd(element, random));
    }
  }

  /** Another value, mostly of another type; sometimes the same value in many brackets. */
  private static JsonElement odd(JsonElement value, SplittableRandom random) {
    return switch (random.nextInt(9)) {
      case 0 -> JsonNull.INSTANCE;
      case 1 -> new JsonPrimitive(random.nextBoolean());
      case 2 -> new JsonPrimitive(OddValues.real(random));
      case 3 -> new JsonArray();
      case 4 -> inBrackets(value, OddValues.times(random) / 10 + 1);
      case 5, 6 -> new JsonPrimitive(OddValues.text(random));
      default -> new JsonPrimitive(OddValues.integer(random));
    };
  }

  private static JsonElement inBrackets(JsonElement value, int times) {
    JsonElement nested = value.deepCopy();
    for (int i = 0; i < times; i++) {
      JsonArray around = new JsonArray();
      around.add(nested);
      nested = around;
    }
    return nested;
  }

  private static void collect(JsonElement element, List<JsonElement> containers) {
    if (element instanceof JsonObject object) {
      containers.add(element);
      object.entrySet().forEach(member -> collect(member.getValue(), containers));
    } else if (element instanceof JsonArray array) {
      containers.add(element);
      array.forEach(each -> collect(each, containers));
    }
  }

  @Override
  public byte[] reduce(byte[] bytes, DeltaDebugging search, Predicate<byte[]> fails) {
    Optional<JsonElement> tree = parse(bytes);
    if (tree.isEmpty() || !fails.test(print(tree.get()))) {
      return bytes;
    }
    KeptParts all = KeptParts.all();
    part(tree.get(), all);
    List<Integer> kept =
        search.minimize(
            all.passed(), some -> fails.test(print(part(tree.get(), KeptParts.of(some)))));
    return print(part(tree.get(), KeptParts.of(kept)));
  }

  /** A tree without some of its members and elements. */
  private static JsonElement part(JsonElement tree, KeptParts kept) {
    if (tree instanceof JsonObject object) {
      JsonObject copy = new JsonObject();
      for (Map.Entry<String, JsonElement> member : object.entrySet()) {
        boolean isKept = kept.keepsNext();
        JsonElement value = part(member.getValue(), kept);
        if (isKept) {
          copy.add(member.getKey(), value);
        }
      }
      return copy;
    }
    if (tree instanceof JsonArray array) {
      JsonArray copy = new JsonArray();
      for (JsonElement element : array) {
        boolean isKept = kept.keepsNext();
        JsonElement value = part(element, kept);
        if (isKept) {
          copy.add(value);
        }
      }
      return copy;
    }
    return tree;
  }

  private static Optional<JsonElement> parse(byte[] bytes) {
    try {
      return Optional.of(JsonParser.parseString(new String(bytes, UTF_8)));
    } catch (JsonParseException | StackOverflowError e) {
      return Optional.empty();
    }
  }

  private static byte[] print(JsonElement tree) {
    return (GSON.toJson(tree) + "\n").getBytes(UTF_8);
  }
}
