"""Batches as Arrow tables and numpy arrays."""
import gc
import sys
from decimal import Decimal

import numpy
import polars
import pyarrow
import pytest

import emissary


def test_a_snapshot_of_several_items_is_a_table(session):
    table = pyarrow.table(session.snapshot(["A.X", "B.X", "NONE.X"], ["BID", "ASK", "DSPLY_NAME", "ACVOL_1", "NO_SUCH_FIELD"]))
    rows = {row["item"]: row for row in table.drop_columns("time").to_pylist()}
    assert rows["A.X"]["BID"] == 39.9 and rows["A.X"]["ASK"] is None and rows["A.X"]["DSPLY_NAME"] == "Café"
    assert rows["B.X"]["BID"] == -0.5 and rows["B.X"]["ACVOL_1"] == 7 and rows["B.X"]["DSPLY_NAME"] is None
    assert rows["NONE.X"]["BID"] is None and rows["NONE.X"]["state"] == 4
    assert table.schema.field("NO_SUCH_FIELD").type == pyarrow.null()
    table.validate(full=True)


def test_a_batch_of_updates_reads_in_arrow_polars_and_numpy(provider, session):
    session.open("A.X")
    session.columns(["BID", "DSPLY_NAME"])
    assert session.next_batch(timeout=10).dicts() == [{"BID": Decimal("39.90"), "DSPLY_NAME": "Café"}]
    for price in range(1000):
        provider.publish("A.X", BID=price) if price % 10 else provider.publish("A.X", BID=None)
    batches = []
    while sum(map(len, batches)) < 1000:
        batches.append(session.next_batch(64, timeout=10))
        assert len(batches[-1]) > 0
    table = emissary.Table(batches)
    expected = [float(p) if p % 10 else None for p in range(1000)]
    arrow = pyarrow.table(table)
    arrow.validate(full=True)
    assert arrow["BID"].to_pylist() == expected
    assert polars.DataFrame(table)["BID"].to_list() == expected
    assert set(arrow["type"].to_pylist()) == {2} and set(arrow["state"].to_pylist()) == {1}
    one = batches[0]
    record = pyarrow.record_batch(one)
    values, valid = one.numpy("BID"), numpy.array(one.validity("BID"))
    assert values.dtype == numpy.float64 and not values.flags.writeable
    assert [v if ok else None for v, ok in zip(values.tolist(), valid)] == record["BID"].to_pylist()
    with pytest.raises(KeyError):
        one.numpy("NO_SUCH_FIELD")
    with pytest.raises(TypeError):
        one.numpy("DSPLY_NAME")
    session.close()
    del one, batches, table
    gc.collect()
    assert arrow["BID"].to_pylist() == expected and values[1] == 1.0  # what was handed over is kept


def test_a_snapshot_beside_streams_is_refused(session):
    item = session.open("A.X")
    with pytest.raises(emissary.UsageError, match="while items are open"):
        session.snapshot("B.X")
    item.close()
    assert session.snapshot("B.X")["ACVOL_1"] == 7


def test_an_empty_batch_has_no_rows(session):
    batch = session.next_batch(timeout=0)
    assert len(batch) == 0 and batch.messages() == [] and pyarrow.record_batch(batch).num_rows == 0


def resident():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * 4096


def read_updates(provider, session, count):
    """Publishes and reads in steps that no queue outgrows, each way of reading in turn."""
    for step in range(count // 500):
        for price in range(500):
            provider.publish("A.X", BID=Decimal(price).scaleb(-2), DSPLY_NAME="a name")
        seen = 0
        while seen < 500:
            batch = session.next_batch(500, timeout=10)
            seen += len(batch)
            if step % 3 == 0:
                assert all(message["DSPLY_NAME"] == "a name" for message in batch.messages())
            elif step % 3 == 1:
                assert all(fields["BID"] is not None for fields in batch.dicts())
            else:
                pyarrow.record_batch(batch).validate(full=True)


def test_reading_leaves_no_memory_and_no_references_behind(provider, session):
    session.open("A.X")
    session.next_batch(timeout=10)
    read_updates(provider, session, 15_000)
    gc.collect()
    objects, memory = len(gc.get_objects()), resident()
    names = sys.getrefcount(None), sys.getrefcount("BID")
    read_updates(provider, session, 60_000)
    gc.collect()
    assert len(gc.get_objects()) - objects < 100
    assert resident() - memory < 4 << 20
    assert abs(sys.getrefcount("BID") - names[1]) < 10 and abs(sys.getrefcount(None) - names[0]) < 1000
