package dev.sublet.operator.paddle.sequence;

import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/** Catalog entries for sequences with LoD, their conversion to arrays, decoding, and text. */
public final class SequenceOperators {

  private SequenceOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addSequences(catalog);
    addPooledAndSlicedSequences(catalog);
    addLod(catalog);
    addDecoding(catalog);
    addText(catalog);
  }

  private static void addSequences(CatalogBuilder catalog) {
    catalog.add("sequence_reverse").replacesLod("Y").shape(ElementwiseShapes.like("X", "Y"));
    catalog.add("sequence_conv").replacesLod("Out").shape(SequenceShapes::conv).withGradient();
    catalog
        .add("sequence_concat")
        .shape(SequenceShapes::concat)
        .replacesLod("Out")
        .producesLod()
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog.add("sequence_enumerate").shape(SequenceShapes::enumerate).producesLod();
    catalog.add("sequence_erase").shape(SequenceShapes::erase).producesLod();
    catalog
        .add("sequence_expand")
        .shape(SequenceShapes::expand)
        .replacesLod("Out")
        .producesLod()
        .needsOnlyShapeOf("Y")
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X", "Y");
    catalog
        .add("sequence_expand_as")
        .shape(SequenceShapes::expandAs)
        .replacesLod("Out")
        .producesLod()
        .needsOnlyShapeOf("Y")
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
    catalog.add("sequence_mask").shape(SequenceShapes::mask).clearsLod();
  }

  private static void addPooledAndSlicedSequences(CatalogBuilder catalog) {
    catalog
        .add("sequence_pad")
        .shape(SequenceShapes::pad)
        .clearsLod()
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog
        .add("sequence_pool")
        .shape(SequenceShapes::pool)
        .mayWrite("MaxIndex")
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("sequence_reshape")
        .shape(SequenceShapes::reshape)
        .replacesLod("Out")
        .producesLod()
        .withGradient();
    catalog
        .add("sequence_scatter")
        .shape(SequenceShapes::scatter)
        .withGradient()
        .needsOnlyShapeOf("Updates");
    catalog
        .add("sequence_slice")
        .shape(SequenceShapes::slice)
        .replacesLod("Out")
        .producesLod()
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog
        .add("sequence_softmax")
        .replacesLod("Out")
        .shape(ElementwiseShapes::likeX)
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog
        .add("sequence_topk_avg_pooling")
        .shape(SequenceShapes::topkAverage)
        .mayWrite("pos")
        .producesLod()
        .withGradient();
    catalog
        .add("sequence_unpad")
        .shape(SequenceShapes::unpad)
        .replacesLod("Out")
        .producesLod()
        .withGradient()
        .needsOnlyShapeOf("X");
  }

  // shrink_rnn_memory writes nothing once no sequence is left. In Paddle 2, shrink_rnn_memory and
  // rnn_memory_helper copy X. In early versions Out shares the buffer of X, as in lod_reset.
  private static void addLod(CatalogBuilder catalog) {
    catalog.add("array_to_lod_tensor").shape(RankTableShapes::fromArray).producesLod();
    catalog.add("lod_rank_table").shape(RankTableShapes::rankTable).statesLod("Out").onHost("Out");
    catalog
        .add("lod_reset")
        .replacesLod("Out")
        .shape(RankTableShapes::lodReset)
        .inPlace(SINCE_1_8)
        .sharesBuffersBefore(2_000_000)
        .producesLod()
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8)
        .sharesBuffersBefore(2_000_000)
        .needsOnlyShapeOf("X");
    catalog
        .add("lod_tensor_to_array")
        .shape(RankTableShapes::toArray)
        .readsAndWrites("Out")
        .producesLod();
    catalog
        .add("max_sequence_len")
        .shape(RankTableShapes::maxSequenceLength)
        .clearsLod()
        .onHost("Out");
    catalog.add("merge_lod_tensor").shape(RankTableShapes::merge).mayWriteAll().producesLod();
    catalog.add("merge_lod_tensor_infer").shape(RankTableShapes::merge).mayWriteAll().producesLod();
    catalog
        .add("reorder_lod_tensor_by_rank")
        .shape(RankTableShapes::reorder)
        .producesLod()
        .withGradient()
        .shape(RankTableShapes::reorderGradient)
        .producesLod();
    catalog
        .add("rnn_memory_helper")
        .shape(ElementwiseShapes::copyOfX)
        .mayWriteAll()
        .sharesBuffers()
        .withGradient()
        .mayWriteAll()
        .sharesBuffers();
    catalog
        .add("shrink_rnn_memory")
        .shape(RankTableShapes::shrink)
        .mayWriteAll()
        .sharesBuffers()
        .producesLod()
        .withGradient()
        .replacesLod("X@GRAD");
    catalog.add("split_lod_tensor").shape(RankTableShapes::split).mayWriteAll().producesLod();
  }

  private static void addDecoding(CatalogBuilder catalog) {
    catalog.add("viterbi_decode").shape(DecodingShapes::viterbiDecode);
    catalog
        .add("beam_search")
        .shape(DecodingShapes::beamSearch)
        .mayWrite("parent_idx")
        .producesLod();
    catalog
        .add("beam_search_decode")
        .shape(DecodingShapes::beamSearchDecode)
        .producesLod()
        .onHost("SentenceIds", "SentenceScores");
    catalog
        .add("crf_decoding")
        .replacesLod("ViterbiPath")
        .shape(DecodingShapes::crfDecoding)
        .onHost("ViterbiPath");
    catalog.add("ctc_align").shape(DecodingShapes::ctcAlign).mayWrite("OutputLength").producesLod();
    catalog
        .add("linear_chain_crf")
        .shape(DecodingShapes::linearChainCrf)
        .mayWrite("Alpha", "EmissionExps", "TransitionExps")
        .onHost("Alpha", "EmissionExps", "TransitionExps", "LogLikelihood")
        .withGradient()
        .needsOnlyShapeOf("Transition", "Emission");
  }

  private static void addText(CatalogBuilder catalog) {
    catalog.addAll("faster_tokenizer", "tdm_child");
    catalog.add("hash").shape(SequenceShapes::hash);
    catalog.add("filter_by_instag").producesLod().withGradient().replacesLod("Ins@GRAD");
    catalog.add("match_matrix_tensor").mayWrite("Tmp").producesLod().withGradient();
    catalog
        .add("pyramid_hash")
        .mayWrite("X_Temp_Out", "DropPos")
        .producesLod()
        .withGradient()
        // The kernel trains W, and does not write X@GRAD.
        .writesInputs("W")
        .mayWrite("X@GRAD");
    catalog.add("tdm_sampler").mayWrite("Labels");
    catalog.add("var_conv_2d").mayWrite("Col").producesLod().withGradient();
  }
}
