package dev.sublet.testing.damage;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class DamageTest {

  private static final ProgramDesc PROGRAM =
      ProgramText.parse(
              """
              version 2004001
              block 0
              feed x: fp32[8]
              a = relu(x)
              b = tanh(a)
              c = scale(b) {scale: 0.5}
              fetch(c)
              """)
          .toMessage();

  private static final ImmutableMap<Damage, byte[]> EXAMPLES =
      ImmutableMap.of(
          new MessageDamage(ProgramDesc.getDefaultInstance(), MessageForm.BINARY),
          MessageForm.BINARY.print(PROGRAM).orElseThrow(),
          new MessageDamage(ProgramDesc.getDefaultInstance(), MessageForm.TEXT),
          MessageForm.TEXT.print(PROGRAM).orElseThrow(),
          new MessageDamage(ProgramDesc.getDefaultInstance(), MessageForm.FRAME),
          MessageForm.FRAME.print(PROGRAM).orElseThrow(),
          new JsonDamage(),
          MessageForm.JSON.print(PROGRAM).orElseThrow(),
          new TextDamage(),
          "id,lower,upper,size\na,0,4,10\nb,2,6,20\n".getBytes(UTF_8),
          new ByteDamage(),
          new byte[] {1, 2, 3, 4, 5, 6});

  @Test
  void aSeed_alwaysDamagesInTheSameWay() {
    EXAMPLES.forEach(
        (damage, bytes) -> {
          for (int seed = 0; seed < 300; seed++) {
            assertWithMessage("%s, seed %s", damage, seed)
                .that(damage.apply(bytes, new SplittableRandom(seed)))
                .isEqualTo(damage.apply(bytes, new SplittableRandom(seed)));
          }
        });
  }

  @Test
  void mostChanges_changeSomething() {
    EXAMPLES.forEach(
        (damage, bytes) -> {
          int changed = 0;
          for (int seed = 0; seed < 300; seed++) {
            byte[] damaged = damage.apply(bytes, new SplittableRandom(seed));
            changed += Arrays.equals(damaged, bytes) ? 0 : 1;
          }
          assertWithMessage("%s", damage).that(changed).isAtLeast(200);
        });
  }

  /** A fault that needs one name needs nothing but what is around it. */
  @Test
  void reduce_keepsWhatTheFaultNeeds() {
    EXAMPLES.forEach(
        (damage, bytes) -> {
          if (new String(bytes, UTF_8).contains("tanh")) {
            byte[] reduced =
                damage.reduce(
                    bytes,
                    new DeltaDebugging(10_000),
                    part -> new String(part, UTF_8).contains("tanh"));
            assertThat(new String(reduced, UTF_8)).contains("tanh");
            assertThat(reduced.length).isLessThan(bytes.length / 4);
          }
        });
  }

  @Test
  void text_isReducedToItsWords() {
    byte[] text = "one two\nthree four\nfive six\n".getBytes(UTF_8);
    byte[] reduced =
        new TextDamage()
            .reduce(
                text, new DeltaDebugging(1000), part -> new String(part, UTF_8).contains("four"));
    assertThat(new String(reduced, UTF_8)).isEqualTo("four");
  }

  @Test
  void bytes_areReducedToThoseThatMatter() {
    byte[] reduced =
        new ByteDamage()
            .reduce(
                new byte[] {9, 1, 9, 9, 2, 9},
                new DeltaDebugging(1000),
                part -> Bytes.contains(part, (byte) 1) && Bytes.contains(part, (byte) 2));
    assertThat(reduced).isEqualTo(new byte[] {1, 2});
  }

  @Test
  void deltaDebugging_findsElementsThatFailOnlyTogether() {
    List<Integer> tried = new ArrayList<>();
    ImmutableList<Integer> kept =
        new DeltaDebugging(10_000)
            .minimize(
                100,
                part -> {
                  tried.add(part.size());
                  return part.contains(3) && part.contains(77) && part.contains(78);
                });
    assertThat(kept).containsExactly(3, 77, 78).inOrder();
    assertThat(tried.size()).isLessThan(200);
  }

  @Test
  void deltaDebugging_triesNoMoreThanItMay() {
    List<Integer> tried = new ArrayList<>();
    ImmutableList<Integer> kept =
        new DeltaDebugging(5)
            .minimize(
                100,
                part -> {
                  tried.add(part.size());
                  return part.contains(50);
                });
    assertThat(tried).hasSize(5);
    assertThat(kept).contains(50);
  }
}
