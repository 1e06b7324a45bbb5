"""psycopg 3: a bigint is an int, a uuid is a uuid.UUID."""

from pathlib import Path

import psycopg
from psycopg.rows import dict_row

SCHEMA = Path(__file__).parent.parent / "schema.sql"

# PGHOST, PGDATABASE, ... say where
with psycopg.connect(row_factory=dict_row, autocommit=True) as db:
    db.execute(SCHEMA.read_text())

    made = []
    for note in ["tea", "coffee", "water", "milk", "juice"]:
        row = db.execute(
            "INSERT INTO flakeid_example.drinks (note) VALUES (%s) RETURNING *",
            [note],
        ).fetchone()
        print("inserted", row["id"], row["ref"], row["note"])
        made.append(row)
    assert made[0]["ref"].version == 7

    found = db.execute(
        "SELECT * FROM flakeid_example.drinks WHERE id = %s", [made[1]["id"]]
    ).fetchone()
    print(f"found {found['id']}: {found['note']}")
    assert found == made[1]

    # From the newest on, two per page
    notes = []
    page = db.execute(
        "SELECT * FROM flakeid_example.drinks ORDER BY id DESC LIMIT 2"
    ).fetchall()
    while page:
        print("page:", ", ".join(drink["note"] for drink in page))
        notes += [drink["note"] for drink in page]
        page = db.execute(
            "SELECT * FROM flakeid_example.drinks WHERE id < %s"
            " ORDER BY id DESC LIMIT 2",
            [page[-1]["id"]],
        ).fetchall()
    assert notes == ["juice", "milk", "water", "coffee", "tea"]
