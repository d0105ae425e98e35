package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.SINCE_1_8;

/** Sequences with LoD, their conversion to arrays, decoding and text. */
final class SequenceOperators {

  private SequenceOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addSequences(catalog);
    addLod(catalog);
    addDecoding(catalog);
    addText(catalog);
  }

  private static void addSequences(CatalogBuilder catalog) {
    catalog.addAll("sequence_reverse");
    catalog.addAllWithGradients("sequence_conv");
    catalog.add("sequence_concat").producesLod().withGradient().needsOnlyShapeOf("X");
    catalog.add("sequence_enumerate").producesLod();
    catalog.add("sequence_erase").producesLod();
    catalog
        .add("sequence_expand")
        .producesLod()
        .needsOnlyShapeOf("Y")
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
    catalog
        .add("sequence_expand_as")
        .producesLod()
        .needsOnlyShapeOf("Y")
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
    catalog.add("sequence_mask").clearsLod();
    catalog.add("sequence_pad").withGradient().needsOnlyShapeOf("X");
    catalog.add("sequence_pool").mayWrite("MaxIndex").withGradient().needsOnlyShapeOf("X");
    catalog.add("sequence_reshape").producesLod().withGradient();
    catalog.add("sequence_scatter").withGradient().needsOnlyShapeOf("Updates");
    catalog.add("sequence_slice").producesLod().withGradient().needsOnlyShapeOf("X");
    catalog.add("sequence_softmax").withGradient().needsOnlyShapeOf("X");
    catalog.add("sequence_topk_avg_pooling").mayWrite("pos").producesLod().withGradient();
    catalog.add("sequence_unpad").producesLod().withGradient().needsOnlyShapeOf("X");
  }

  // shrink_rnn_memory writes nothing once no sequence is left. It, lod_reset and rnn_memory_helper
  // copy in Paddle 2, but early versions let Out share the buffer of X.
  private static void addLod(CatalogBuilder catalog) {
    catalog.add("array_to_lod_tensor").producesLod();
    catalog.add("lod_rank_table").onHost("Out");
    catalog
        .add("lod_reset")
        .inPlace(SINCE_1_8)
        .sharesBuffers()
        .producesLod()
        .withGradient()
        .inPlace(SINCE_1_8)
        .sharesBuffers()
        .needsOnlyShapeOf("X");
    catalog.add("lod_tensor_to_array").readsAndWrites("Out").producesLod();
    catalog.add("max_sequence_len").clearsLod().onHost("Out");
    catalog.add("merge_lod_tensor").mayWriteAll().producesLod();
    catalog.add("merge_lod_tensor_infer").mayWriteAll().producesLod();
    catalog.add("reorder_lod_tensor_by_rank").producesLod().withGradient();
    catalog
        .add("rnn_memory_helper")
        .mayWriteAll()
        .sharesBuffers()
        .withGradient()
        .mayWriteAll()
        .sharesBuffers();
    catalog.add("shrink_rnn_memory").mayWriteAll().sharesBuffers().producesLod().withGradient();
    catalog.add("split_lod_tensor").mayWriteAll().producesLod();
  }

  private static void addDecoding(CatalogBuilder catalog) {
    catalog.addAll("viterbi_decode");
    catalog.add("beam_search").mayWrite("parent_idx").producesLod();
    catalog.add("beam_search_decode").producesLod().onHost("SentenceIds", "SentenceScores");
    catalog.add("crf_decoding").onHost("ViterbiPath");
    catalog.add("ctc_align").mayWrite("OutputLength").producesLod();
    catalog
        .add("linear_chain_crf")
        .mayWrite("Alpha", "EmissionExps", "TransitionExps")
        .onHost("Alpha", "EmissionExps", "TransitionExps", "LogLikelihood")
        .withGradient()
        .needsOnlyShapeOf("Transition", "Emission");
  }

  private static void addText(CatalogBuilder catalog) {
    catalog.addAll("faster_tokenizer", "hash", "tdm_child");
    catalog.add("filter_by_instag").producesLod().withGradient();
    catalog.add("match_matrix_tensor").mayWrite("Tmp").producesLod().withGradient();
    catalog.add("pyramid_hash").mayWrite("X_Temp_Out").producesLod().withGradient();
    catalog.add("tdm_sampler").mayWrite("Labels");
    catalog.add("var_conv_2d").mayWrite("Col").producesLod().withGradient();
  }
}
