package dev.sublet.operator.paddle.control;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;

import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for communication between devices and with parameter servers.
 *
 * <p>The data that a device receives depend on its rank, so the outputs of communication are
 * may-writes.
 */
public final class CollectiveOperators {

  private CollectiveOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addCommunication(catalog);
    addShardedComputation(catalog);
    addParameterServer(catalog);
    addSparseTables(catalog);
  }

  private static void addCommunication(CatalogBuilder catalog) {
    catalog.addAllMayWrite(
        "allreduce",
        "barrier",
        "broadcast",
        "c_allgather",
        "c_broadcast",
        "c_comm_init",
        "c_comm_init_all",
        "c_gen_nccl_id",
        "c_reduce_max",
        "c_reduce_min",
        "c_reduce_prod",
        "c_reduce_sum",
        "c_reducescatter",
        "c_scatter",
        "c_sync_calc_stream",
        "c_sync_comm_stream",
        "c_wait_comm",
        "c_wait_compute",
        "gen_nccl_id",
        "partial_recv",
        "partial_send",
        "recv_v2",
        "send_v2",
        "global_gather",
        "global_scatter");
    catalog.add("alltoall").mayWriteAll().inPlace("2.2,2.3");
    catalog.add("c_allreduce_avg").mayWriteAll().inPlace("HEAD");
    catalog.add("c_allreduce_max").mayWriteAll().inPlace("2.2,2.3,2.4,HEAD");
    catalog.add("c_allreduce_min").mayWriteAll().inPlace("2.2,2.3,2.4,HEAD");
    catalog.add("c_allreduce_prod").mayWriteAll().inPlace("2.2,2.3,2.4,HEAD");
    catalog.add("c_allreduce_sum").mayWriteAll().inPlace("2.2,2.3,2.4,HEAD");
    catalog.add("mp_allreduce_sum").mayWriteAll().inPlace("2.6,HEAD");
    catalog.add("partial_allgather").mayWriteAll().inPlace("2.2,2.3,2.4,2.6,HEAD");
  }

  private static void addShardedComputation(CatalogBuilder catalog) {
    catalog.addAll(
        "c_concat",
        "c_identity",
        "c_split",
        "limit_by_capacity",
        "number_count",
        "prune_gate_by_capacity");
    // The kernel decrements the numbers in cum_count.
    catalog.add("assign_pos").writesInputs("cum_count");
    catalog.add("c_embedding").withGradient().needsOnlyShapeOf("W");
    catalog
        .add("c_softmax_with_cross_entropy")
        .inPlace("Logits", "Softmax", "2.2,2.3,2.4,2.6,HEAD")
        .withGradient()
        .inPlace("Softmax", "Logits@GRAD", "2.2,2.3,2.4,2.6,HEAD");
  }

  private static void addParameterServer(CatalogBuilder catalog) {
    catalog.addAllMayWrite(
        "send",
        "send_barrier",
        "fetch_barrier",
        "send_and_recv",
        "distributed_lookup_table",
        "distributed_push_sparse",
        "split_ids",
        "split_selected_rows",
        "merge_ids");
    catalog.add("recv").mayWriteAll().producesLod();
    catalog.add("split_byref").mayWriteAll().sharesBuffers();
  }

  private static void addSparseTables(CatalogBuilder catalog) {
    catalog.addAllMayWrite(
        "pull_box_sparse",
        "pull_box_extended_sparse",
        "pull_gpups_sparse",
        "pull_sparse",
        "pull_sparse_v2",
        "push_box_sparse",
        "push_box_extended_sparse",
        "push_sparse",
        "push_sparse_v2");
    catalog.add("push_dense").mayWriteAll().needsOnlyShapeOf("Ids");
    catalog
        .add("push_gpups_sparse")
        .mayWriteAll()
        .inPlace("Out@GRAD", "out_grad@GRAD", GENERATED_ONLY);
  }
}
