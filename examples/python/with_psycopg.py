"""psycopg 3: a bigint is an int, a uuid is a uuid.UUID."""

from pathlib import Path

import psycopg
from psycopg.rows import dict_row

SCHEMA = Path(__file__).parent.parent / "schema.sql"

# PGHOST, PGDATABASE, ... say where
with psycopg.connect(row_factory=dict_row, autocommit=True) as db:
    db.execute("DROP TABLE IF EXISTS orders")
    db.execute(SCHEMA.read_text())

    made = [
        db.execute(
            "INSERT INTO orders (note) VALUES (%s) RETURNING *", [note]
        ).fetchone()
        for note in ["tea", "coffee", "water", "milk", "juice"]
    ]
    assert made[0]["ref"].version == 7

    found = db.execute("SELECT * FROM orders WHERE id = %s", [made[1]["id"]])
    assert found.fetchone() == made[1]

    # From the newest on, two a page
    notes = []
    page = db.execute("SELECT * FROM orders ORDER BY id DESC LIMIT 2").fetchall()
    while page:
        notes += [order["note"] for order in page]
        page = db.execute(
            "SELECT * FROM orders WHERE id < %s ORDER BY id DESC LIMIT 2",
            [page[-1]["id"]],
        ).fetchall()
    assert notes == ["juice", "milk", "water", "coffee", "tea"]
