"""psycopg 3: a bigint is an int, a uuid is a uuid.UUID."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg
from psycopg.rows import dict_row

SCHEMA = Path(__file__).parent.parent / "schema.sql"

# Connects by PGHOST, PGDATABASE, ...
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
    guests = db.execute(
        "INSERT INTO flakeid_example.guests (name) VALUES (%s), (%s) RETURNING *",
        ["Ada", "Grace"],
    ).fetchall()
    for guest in guests:
        print("guest", guest["id"], guest["name"])

    found = db.execute(
        "SELECT * FROM flakeid_example.drinks WHERE id = %s", [made[1]["id"]]
    ).fetchone()
    print(f"found {found['id']}: {found['note']}")
    assert found == made[1]

    # By time: from is inclusive, to is exclusive
    now = datetime.now(timezone.utc)
    bounds = [now - timedelta(hours=1), now + timedelta(hours=1)]
    drinks = db.execute(
        "SELECT * FROM flakeid_example.drinks"
        " WHERE fluid_in_range(id, %s, %s) ORDER BY id",
        bounds,
    ).fetchall()
    met = db.execute(
        "SELECT * FROM flakeid_example.guests"
        " WHERE uuid_v7_in_range(id, %s, %s) ORDER BY id",
        bounds,
    ).fetchall()
    print(f"range: {len(drinks)} drinks, {len(met)} guests")
    assert (drinks, met) == (made, guests)

    # Pages of two, newest first
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
