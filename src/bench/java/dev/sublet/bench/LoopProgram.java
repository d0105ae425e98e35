package dev.sublet.bench;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;

/**
 * Loops in the sizes that inference programs have, as text. Counters, limits and parameters are
 * persistable, so that arenas hold what is computed and fed.
 */
enum LoopProgram {
  /** A layer of an LSTM over a sequence: batch 16, width 512; both states are carried. */
  LSTM(
      "LSTM step",
      """
      version 2004000
      default fp32[16,512]
      block 0
        var i: int64[1] persistable
        var n: int64[1] persistable
        var c: bool[1] persistable
        var w: fp32[1024,2048] persistable
        var b: fp32[2048] persistable
        feed steps: fp32[50,16,512]
        feed hidden
        feed cell
        while(Condition: c, X: steps hidden cell w b i n) -> (Out: hidden cell i c, StepScopes: s) {sub_block: 1, is_test: true}
        fetch(hidden)
        fetch(cell)
      block 1 parent 0
        var step: fp32[1,16,512]
        step = gather(steps, Index: i) {axis: 0}
        (Out: input, XShape: shape) = reshape2(step) {shape: [16, 512]}
        var both: fp32[16,1024]
        both = concat(input hidden) {axis: 1}
        var product: fp32[16,2048]
        product = matmul_v2(both, w)
        var gates: fp32[16,2048]
        gates = elementwise_add(product, b) {axis: 1}
        (Out: g0 g1 g2 g3) = split(gates) {num: 4, axis: 1}
        taken = sigmoid(g0)
        kept = sigmoid(g1)
        shown = sigmoid(g2)
        candidate = tanh(g3)
        old = elementwise_mul(kept, cell)
        new = elementwise_mul(taken, candidate)
        next_cell = elementwise_add(old, new)
        squashed = tanh(next_cell)
        next_hidden = elementwise_mul(shown, squashed)
        hidden = assign(next_hidden)
        cell = assign(next_cell)
        i = increment(i)
        c = less_than(X: i, Y: n)
      """),

  /**
   * A beam search with 8 beams, a recurrent cell of width 256, attention over 32 positions and
   * 8,000 words. States, scores and the encoder's results are put in the order of the new beams;
   * words and parents are written to arrays.
   */
  BEAM_SEARCH(
      "beam search",
      """
      version 2004000
      default fp32[8,256]
      block 0
        var i: int64[1] persistable
        var n: int64[1] persistable
        var c: bool[1] persistable
        var vocabulary: int64[1] persistable
        var embedding: fp32[8000,256] persistable
        var w: fp32[768,256] persistable
        var b: fp32[256] persistable
        var v: fp32[256,8000] persistable
        var words: array int64[8]
        var parents: array int64[8]
        feed word: int64[8]
        feed score: fp32[8,1]
        feed state
        feed memory: fp32[8,32,256]
        while(Condition: c, X: word score state memory embedding w b v vocabulary i n words parents) -> (Out: word score state memory i c words parents, StepScopes: s) {sub_block: 1, is_test: true}
        var all_words: int64[-1,8]
        var all_parents: int64[-1,8]
        var indices: int32[-1]
        (Out: all_words, OutIndex: indices) = tensor_array_to_tensor(words) {axis: 0, use_stack: true}
        (Out: all_parents, OutIndex: indices) = tensor_array_to_tensor(parents) {axis: 0, use_stack: true}
        fetch(all_words)
        fetch(all_parents)
        fetch(score)
      block 1 parent 0
        (Out: embedded) = lookup_table_v2(Ids: word, W: embedding)
        var query: fp32[8,1,256]
        (Out: query, XShape: shape0) = reshape2(state) {shape: [8, 1, 256]}
        var match: fp32[8,1,32]
        match = matmul_v2(query, memory) {trans_y: true}
        var attention: fp32[8,1,32]
        attention = softmax(match) {axis: -1}
        var found: fp32[8,1,256]
        found = matmul_v2(attention, memory)
        (Out: context, XShape: shape1) = reshape2(found) {shape: [8, 256]}
        var all: fp32[8,768]
        all = concat(embedded context state) {axis: 1}
        product = matmul_v2(all, w)
        sum = elementwise_add(product, b) {axis: 1}
        new_state = tanh(sum)
        var logits: fp32[8,8000]
        logits = matmul_v2(new_state, v)
        var likely: fp32[8,8000]
        likely = log_softmax(logits) {axis: -1}
        var total: fp32[8,8000]
        total = elementwise_add(likely, score)
        var flat: fp32[1,64000]
        (Out: flat, XShape: shape2) = reshape2(total) {shape: [1, 64000]}
        var best: fp32[1,8]
        var index: int64[1,8]
        (Out: best, Indices: index) = top_k_v2(flat) {k: 8, axis: -1}
        var places: int64[8]
        (Out: places, XShape: shape3) = reshape2(index) {shape: [8]}
        var parent: int64[8]
        parent = elementwise_floordiv(places, vocabulary)
        var next_word: int64[8]
        next_word = elementwise_mod(places, vocabulary)
        var next_score: fp32[8,1]
        (Out: next_score, XShape: shape4) = reshape2(best) {shape: [8, 1]}
        next_state = gather(new_state, Index: parent) {axis: 0}
        var next_memory: fp32[8,32,256]
        next_memory = gather(memory, Index: parent) {axis: 0}
        words = write_to_array(next_word, I: i)
        parents = write_to_array(parent, I: i)
        word = assign(next_word)
        score = assign(next_score)
        state = assign(next_state)
        memory = assign(next_memory)
        i = increment(i)
        c = less_than(X: i, Y: n)
      """),

  /** Feature maps of the four last frames, 16 channels of 64 by 64: x3 ≤ x2 ≤ x1 ≤ x0 ≤ y. */
  SHIFT_CHAIN(
      "4-deep shift chain",
      """
      version 2004000
      default fp32[1,16,64,64]
      block 0
        var i: int64[1] persistable
        var n: int64[1] persistable
        var c: bool[1] persistable
        var w: fp32[16,64,3,3] persistable
        feed x0
        feed x1
        feed x2
        feed x3
        while(Condition: c, X: x0 x1 x2 x3 w i n) -> (Out: x0 x1 x2 x3 i c, StepScopes: s) {sub_block: 1, is_test: true}
        fetch(x0)
      block 1 parent 0
        var frames: fp32[1,64,64,64]
        frames = concat(x0 x1 x2 x3) {axis: 1}
        (Output: mixed) = conv2d(Input: frames, Filter: w) {strides: [1, 1], paddings: [1, 1], dilations: [1, 1], groups: 1}
        moved = elementwise_add(mixed, x0)
        y = tanh(moved)
        x3 = assign(x2)
        x2 = assign(x1)
        x1 = assign(x0)
        x0 = assign(y)
        i = increment(i)
        c = less_than(X: i, Y: n)
      """);

  private final String title;
  private final String text;

  LoopProgram(String title, String text) {
    this.title = title;
    this.text = text;
  }

  /** What it is called in a table. */
  String title() {
    return title;
  }

  /** The program. */
  Program program() {
    return ProgramText.parse(text);
  }
}
