package dev.sublet.operator.paddle.product;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.ViewRules;

/** Catalog entries for fully connected layers, embeddings, dropout, and layers on graphs. */
public final class LayerOperators {

  private LayerOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addLayers(catalog);
    addGraphs(catalog);
  }

  private static void addLayers(CatalogBuilder catalog) {
    catalog.add("fc").replacesLod("Out").shape(LayerShapes::fullyConnected);
    catalog.add("lookup_table_dequant").shape(LayerShapes::lookupDequantized);
    catalog
        .add("batch_fc")
        .shape(LayerShapes::batchConnected)
        .withGradient()
        .needsOnlyShapeOf("Bias");
    catalog
        .add("dropout")
        .replacesLod("Out")
        .shape(ElementwiseShapes.like("X", "Out", "Mask"))
        .mayWrite("Mask")
        .inPlace(DEFINITION)
        .view(ViewRules.dropoutInInference())
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("lookup_table")
        .replacesLod("Out")
        .shape(LayerShapes::lookup)
        .withGradient()
        .clearsLod()
        .needsOnlyShapeOf("W");
    catalog
        .add("lookup_table_v2")
        .replacesLod("Out")
        .shape(LayerShapes::lookupV2)
        .withGradient()
        .clearsLod()
        .needsOnlyShapeOf("W");
    catalog
        .add("rank_attention")
        .shape(LayerShapes::rankAttention)
        .mayWrite("InputHelp", "InsRank")
        .withGradient()
        .needsOnlyShapeOf("X", "RankOffset", "RankParam");
    catalog
        .add("shuffle_batch")
        .shape(LayerShapes::shuffleBatch)
        .mayWrite("SeedOut")
        .withGradient()
        .replacesLod("X@GRAD");
  }

  private static void addGraphs(CatalogBuilder catalog) {
    catalog.addAll("graph_reindex");
    catalog.add("graph_sample_neighbors").mayWrite("Out_Eids");
    catalog.add("graph_khop_sampler").mayWrite("Out_Eids");
    catalog
        .add("graph_send_recv")
        .shape(LayerShapes::graphSendReceive)
        .mayWrite("Dst_count")
        .withGradient();
    catalog
        .add("segment_pool")
        .shape(LayerShapes::segmentPool)
        .mayWrite("SummedIds")
        .keepsIfEmpty("Out")
        .withGradient();
  }
}
