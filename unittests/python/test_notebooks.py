"""The notebooks of the guide are executed, cell by cell, and show what their texts say."""
import pathlib

import nbclient
import nbformat
import pytest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "docs/guide/notebooks"
SHOWN = {
    "prices": ["complete False", "'CURRENCY': 'USD'", "EUR", "40.89", "['EMI.X'] the source is gone"],
    "order-books": ["live (2, 2) False", "spread 0.05, bids 14, asks 13", "39.9 -> 39.85", "post EMI.X 39.85", "1 EMI.X: the market is closed"],
}


def test_there_are_no_others():
    assert {file.stem for file in NOTEBOOKS.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs_from_the_first_cell_to_the_last(name):
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "it is kept without outputs"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()  # raises what a cell raises
    shown = "\n".join(output.get("text") or output["data"]["text/plain"] for cell in notebook.cells if cell.cell_type == "code"
                      for output in cell.outputs)
    for text in SHOWN[name]:
        assert text in shown, shown
