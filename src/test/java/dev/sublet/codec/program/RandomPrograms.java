package dev.sublet.codec.program;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random messages of the whole schema, made well formed afterwards: block indices exist and form no
 * cycle, names are declared once and resolve.
 */
final class RandomPrograms {

  private final Random random;
  private final boolean textual;

  /** Textual messages have only what text forms carry: no unknown fields, no bytes as names. */
  RandomPrograms(Random random, boolean textual) {
    this.random = random;
    this.textual = textual;
  }

  ProgramDesc next() {
    ProgramDesc.Builder program = ProgramDesc.newBuilder();
    fill(program);
    if (program.getBlocksCount() == 0) {
      fill(program.addBlocksBuilder());
    }
    for (int i = 0; i < program.getBlocksCount(); i++) {
      repair(program.getBlocksBuilder(i), i, program.getBlocksCount());
    }
    return program.build();
  }

  private void fill(Message.Builder message) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.isRepeated()) {
        for (int i = random.nextInt(4); i > 0; i--) {
          message.addRepeatedField(field, value(message, field));
        }
      } else if (field.isRequired() || random.nextInt(3) == 0) {
        message.setField(field, value(message, field));
      }
    }
    if (!textual && random.nextInt(4) == 0) {
      message.setUnknownFields(unknownFields(2));
    }
  }

  private Object value(Message.Builder owner, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> random.nextBoolean() ? random.nextInt(3) - 1 : random.nextInt();
      case LONG -> random.nextBoolean() ? random.nextInt(3) - 1L : random.nextLong();
      case FLOAT -> textual ? FLOATS[random.nextInt(FLOATS.length)] : anyFloat();
      case DOUBLE -> textual ? (double) FLOATS[random.nextInt(FLOATS.length)] : anyDouble();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> text();
      case BYTE_STRING -> bytes();
      case ENUM -> anyEnum(field);
      case MESSAGE -> {
        Message.Builder inner = owner.newBuilderForField(field);
        fill(inner);
        yield inner.build();
      }
    };
  }

  private static final float[] FLOATS = {
    0f, -0f, 1f, -1.5f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, Float.MAX_VALUE, 0.1f
  };

  private float anyFloat() {
    return Float.intBitsToFloat(random.nextInt());
  }

  private double anyDouble() {
    return Double.longBitsToDouble(random.nextLong());
  }

  private EnumValueDescriptor anyEnum(FieldDescriptor field) {
    int number = random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(40);
    return field.getEnumType().findValueByNumberCreatingIfUnknown(number);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      int[] interesting = {'a', '"', '\\', '\n', 0, 0xE9, 0x4E2D, 0x1F600, '\'', '#'};
      text.appendCodePoint(interesting[random.nextInt(interesting.length)]);
    }
    return text.toString();
  }

  private ByteString bytes() {
    byte[] bytes = new byte[random.nextInt(6)];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }

  private UnknownFieldSet unknownFields(int depth) {
    UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
      switch (random.nextInt(depth == 0 ? 4 : 5)) {
        case 0 -> field.addVarint(random.nextLong()).addVarint(1);
        case 1 -> field.addFixed32(random.nextInt());
        case 2 -> field.addFixed64(random.nextLong());
        case 3 -> field.addLengthDelimited(bytes());
        default -> field.addGroup(unknownFields(depth - 1));
      }
      fields.mergeField(100 + random.nextInt(1 << 20), field.build());
    }
    return fields.build();
  }

  private void repair(BlockDesc.Builder block, int index, int count) {
    block.setIdx(index).setParentIdx(index == 0 ? -1 : random.nextInt(index));
    if (block.hasForwardBlockIdx()) {
      block.setForwardBlockIdx(index == 0 ? -1 : random.nextInt(index));
    }
    List<ByteString> names = new ArrayList<>();
    names.add(ByteString.copyFromUtf8("@EMPTY@"));
    names.add(ByteString.EMPTY);
    for (int i = 0; i < block.getVarsCount(); i++) {
      ByteString name = ByteString.copyFromUtf8("v" + i + text());
      names.add(textual ? name : name.concat(bytes()));
      block.getVarsBuilder(i).setNameBytes(names.get(names.size() - 1));
    }
    for (OpDesc.Builder operation : block.getOpsBuilderList()) {
      for (OpDesc.Var.Builder slot : operation.getInputsBuilderList()) {
        repair(slot, names);
      }
      for (OpDesc.Var.Builder slot : operation.getOutputsBuilderList()) {
        repair(slot, names);
      }
      for (OpDesc.Attr.Builder attribute : operation.getAttrsBuilderList()) {
        repair(attribute, index, count);
      }
    }
  }

  private void repair(OpDesc.Var.Builder slot, List<ByteString> names) {
    int arguments = slot.getArgumentsCount();
    slot.clearArguments();
    for (int i = 0; i < arguments; i++) {
      slot.addArgumentsBytes(names.get(random.nextInt(names.size())));
    }
  }

  /** A block may run only later blocks, so that none runs itself. */
  private void repair(OpDesc.Attr.Builder attribute, int block, int count) {
    if (attribute.getType() == AttrType.BLOCKS) {
      attribute.clearBlocksIdx();
    } else if (attribute.getType() == AttrType.BLOCK && block + 1 < count) {
      attribute.setBlockIdx(block + 1);
    } else if (attribute.getType() == AttrType.BLOCK) {
      attribute.setType(AttrType.INT);
    }
  }
}
