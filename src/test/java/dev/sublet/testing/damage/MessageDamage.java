package dev.sublet.testing.damage;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A protobuf message, changed by what its descriptors say: fields lost, added, repeated, exchanged,
 * with odd values, with those of another message of the same type, nested into each other.
 */
public final class MessageDamage implements Damage {

  private final Message prototype;
  private final MessageForm form;

  /** Changes messages of a type that come in a form. */
  public MessageDamage(Message prototype, MessageForm form) {
    this.prototype = requireNonNull(prototype, "prototype");
    this.form = requireNonNull(form, "form");
  }

  @Override
  public byte[] apply(byte[] bytes, SplittableRandom random) {
    return form.parse(bytes, prototype)
        .flatMap(message -> form.print(changed(message, random)))
        .orElse(bytes);
  }

  /** The message after one change. */
  public static Message changed(Message message, SplittableRandom random) {
    Message.Builder root = message.toBuilder();
    List<Message.Builder> nodes = new ArrayList<>();
    collect(root, nodes);
    Message.Builder node = nodes.get(random.nextInt(nodes.size()));
    List<FieldDescriptor> fields = new ArrayList<>(node.getAllFields().keySet());
    if (fields.isEmpty() || random.nextInt(5) == 0) {
      fields = node.getDescriptorForType().getFields();
    }
    if (fields.isEmpty() || random.nextInt(40) == 0) {
      addUnknown(node, random);
    } else {
      change(node, fields.get(random.nextInt(fields.size())), nodes, random);
    }
    return root.buildPartial();
  }

  private static void collect(Message.Builder node, List<Message.Builder> nodes) {
    nodes.add(node);
    for (FieldDescriptor field : node.getAllFields().keySet()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
        if (field.isRepeated()) {
          for (int i = 0; i < node.getRepeatedFieldCount(field); i++) {
            collect(node.getRepeatedFieldBuilder(field, i), nodes);
          }
        } else {
          collect(node.getFieldBuilder(field), nodes);
        }
      }
    }
  }

  private static void addUnknown(Message.Builder node, SplittableRandom random) {
    UnknownFieldSet.Field value =
        UnknownFieldSet.Field.newBuilder().addVarint(OddValues.integer(random)).build();
    node.setUnknownFields(
        UnknownFieldSet.newBuilder(node.getUnknownFields())
            .addField(1 + random.nextInt(1 << 20), value)
            .build());
  }

  private static void change(
      Message.Builder node,
      FieldDescriptor field,
      List<Message.Builder> nodes,
      SplittableRandom random) {
    if (field.isMapField()) {
      node.clearField(field);
    } else if (field.isRepeated()) {
      changeRepeated(node, field, nodes, random);
    } else if (node.hasField(field) && random.nextInt(field.isRequired() ? 30 : 5) == 0) {
      node.clearField(field);
    } else {
      node.setField(field, value(node, field, nodes, random));
    }
  }

  private static void changeRepeated(
      Message.Builder node,
      FieldDescriptor field,
      List<Message.Builder> nodes,
      SplittableRandom random) {
    List<Object> elements = new ArrayList<>((List<?>) node.getField(field));
    if (elements.isEmpty()) {
      elements.add(value(node, field, nodes, random));
    }
    int at = random.nextInt(elements.size());
    switch (random.nextInt(6)) {
      case 0 -> elements.remove(at);
      case 1 -> elements.addAll(at, Collections.nCopies(OddValues.times(random), elements.get(at)));
      case 2 -> Collections.swap(elements, at, random.nextInt(elements.size()));
      case 3 -> elements.add(at, value(node, field, nodes, random));
      default -> elements.set(at, value(node, field, nodes, random));
    }
    node.clearField(field);
    elements.forEach(element -> node.addRepeatedField(field, element));
  }

  /** That of another message of the same type, or an odd one. */
  private static Object value(
      Message.Builder node,
      FieldDescriptor field,
      List<Message.Builder> nodes,
      SplittableRandom random) {
    if (random.nextInt(3) > 0) {
      List<Object> others = new ArrayList<>();
      for (Message.Builder other : nodes) {
        if (other.getDescriptorForType() == field.getContainingType()) {
          Object value = other.getField(field);
          others.addAll(value instanceof List<?> values ? values : List.of(value));
        }
      }
      if (!others.isEmpty()) {
        return others.get(random.nextInt(others.size()));
      }
    }
    return oddValue(node, field, nodes, random);
  }

  private static Object oddValue(
      Message.Builder node,
      FieldDescriptor field,
      List<Message.Builder> nodes,
      SplittableRandom random) {
    return switch (field.getJavaType()) {
      case INT -> (int) OddValues.integer(random);
      case LONG -> OddValues.integer(random);
      case FLOAT -> (float) OddValues.real(random);
      case DOUBLE -> OddValues.real(random);
      case BOOLEAN -> random.nextBoolean();
      case STRING -> OddValues.text(random);
      case BYTE_STRING -> ByteString.copyFromUtf8(OddValues.text(random));
      case ENUM -> {
        EnumDescriptor type = field.getEnumType();
        yield type.getValues().get(random.nextInt(type.getValues().size()));
      }
      case MESSAGE -> message(node, field, nodes, random);
    };
  }

  /** A message from anywhere, perhaps one around the node itself, or an empty one. */
  private static Message message(
      Message.Builder node,
      FieldDescriptor field,
      List<Message.Builder> nodes,
      SplittableRandom random) {
    List<Message.Builder> others = new ArrayList<>();
    for (Message.Builder other : nodes) {
      if (other.getDescriptorForType() == field.getMessageType()) {
        others.add(other);
      }
    }
    return others.isEmpty() || random.nextInt(12) == 0
        ? node.newBuilderForField(field).buildPartial()
        : others.get(random.nextInt(others.size())).buildPartial();
  }

  @Override
  public byte[] reduce(byte[] bytes, DeltaDebugging search, Predicate<byte[]> fails) {
    Optional<Message> message = form.parse(bytes, prototype);
    if (message.isEmpty()) {
      return bytes;
    }
    KeptParts all = KeptParts.all();
    part(message.get(), all);
    Predicate<List<Integer>> partFails =
        kept -> form.print(part(message.get(), KeptParts.of(kept))).filter(fails).isPresent();
    List<Integer> kept = search.minimize(all.passed(), partFails);
    // What is left has lost at least its unknown fields, and may not show the fault.
    return partFails.test(kept)
        ? form.print(part(message.get(), KeptParts.of(kept))).orElseThrow()
        : bytes;
  }

  /** A message without some of its fields and elements. */
  private static Message part(Message message, KeptParts kept) {
    Message.Builder copy = message.newBuilderForType();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.isRepeated()) {
        for (Object element : (List<?>) entry.getValue()) {
          boolean isKept = kept.keepsNext();
          Object value = valuePart(field, element, kept);
          if (isKept) {
            copy.addRepeatedField(field, value);
          }
        }
      } else {
        boolean isKept = kept.keepsNext();
        Object value = valuePart(field, entry.getValue(), kept);
        if (isKept) {
          copy.setField(field, value);
        }
      }
    }
    return copy.buildPartial();
  }

  private static Object valuePart(FieldDescriptor field, Object value, KeptParts kept) {
    boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    return isMessage && !field.isMapField() ? part((Message) value, kept) : value;
  }
}
