package dev.sublet.testing.random;

import com.google.common.collect.ImmutableList;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;

/** An operator in the making. */
final class OperationDraft {

  private final OpDesc.Builder message = OpDesc.newBuilder();

  OperationDraft(String type) {
    message.setType(type);
  }

  OperationDraft in(String slot, String... names) {
    return in(slot, ImmutableList.copyOf(names));
  }

  OperationDraft in(String slot, Iterable<String> names) {
    message.addInputsBuilder().setParameter(slot).addAllArguments(names);
    return this;
  }

  OperationDraft out(String slot, String... names) {
    return out(slot, ImmutableList.copyOf(names));
  }

  OperationDraft out(String slot, Iterable<String> names) {
    message.addOutputsBuilder().setParameter(slot).addAllArguments(names);
    return this;
  }

  OperationDraft flag(String name) {
    message.addAttrsBuilder().setName(name).setType(AttrType.BOOLEAN).setB(true);
    return this;
  }

  OperationDraft number(String name, int value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.INT).setI(value);
    return this;
  }

  OperationDraft numbers(String name, Integer... values) {
    message
        .addAttrsBuilder()
        .setName(name)
        .setType(AttrType.INTS)
        .addAllInts(ImmutableList.copyOf(values));
    return this;
  }

  OperationDraft real(String name, float value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.FLOAT).setF(value);
    return this;
  }

  OperationDraft names(String name, Iterable<String> values) {
    message.addAttrsBuilder().setName(name).setType(AttrType.STRINGS).addAllStrings(values);
    return this;
  }

  OperationDraft block(int block) {
    message.addAttrsBuilder().setName("sub_block").setType(AttrType.BLOCK).setBlockIdx(block);
    return this;
  }

  OpDesc build() {
    return message.build();
  }
}
