"""SQLAlchemy 2 with Alembic: the INSERT returns the keys that a server default
generates."""

import uuid
from datetime import datetime, timedelta, timezone

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import (
    BigInteger, MetaData, create_engine, event, func, insert, select,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.schema import CreateSchema


class Base(DeclarativeBase):
    metadata = MetaData(schema="flakeid_example")


class Drink(Base):
    __tablename__ = "drinks"

    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True, server_default=func.fluid_generate()
    )
    ref: Mapped[uuid.UUID] = mapped_column(
        unique=True, server_default=func.uuid_generate_v7()
    )
    note: Mapped[str]


class Guest(Base):
    __tablename__ = "guests"

    id: Mapped[uuid.UUID] = mapped_column(
        primary_key=True, server_default=func.uuid_generate_v7()
    )
    name: Mapped[str]


# Connects by PGHOST, PGDATABASE, ...
engine = create_engine("postgresql+psycopg://")
with engine.begin() as connection:
    # In a project this is upgrade() of the first revision, which a test database
    # gets too.
    op = Operations(MigrationContext.configure(connection))
    op.execute("CREATE EXTENSION IF NOT EXISTS flakeid")
    connection.execute(CreateSchema("flakeid_example", if_not_exists=True))
Base.metadata.drop_all(engine)
Base.metadata.create_all(engine)

with Session(engine) as session:
    made = []
    for note in ["tea", "coffee", "water", "milk", "juice"]:
        drink = Drink(note=note)
        session.add(drink)
        session.flush()
        print("inserted", drink.id, drink.ref, drink.note)
        made.append((drink.id, drink.ref, note))
    guests = []
    for name in ["Ada", "Grace"]:
        guest = Guest(name=name)
        session.add(guest)
        session.flush()
        print("guest", guest.id, guest.name)
        guests.append((guest.id, name))
    session.commit()
    assert made[0][1].version == 7

with Session(engine) as session:
    drink = session.get(Drink, made[1][0])
    print(f"found {drink.id}: {drink.note}")
    assert (drink.id, drink.ref, drink.note) == made[1]

    # By time: from is inclusive, to is exclusive
    now = datetime.now(timezone.utc)
    bounds = [now - timedelta(hours=1), now + timedelta(hours=1)]
    drinks = session.scalars(
        select(Drink)
        .where(func.fluid_in_range(Drink.id, *bounds))
        .order_by(Drink.id)
    ).all()
    met = session.scalars(
        select(Guest)
        .where(func.uuid_v7_in_range(Guest.id, *bounds))
        .order_by(Guest.id)
    ).all()
    print(f"range: {len(drinks)} drinks, {len(met)} guests")
    assert [(each.id, each.ref, each.note) for each in drinks] == made
    assert [(each.id, each.name) for each in met] == guests

    # Pages of two, newest first
    notes = []
    newest = select(Drink).order_by(Drink.id.desc()).limit(2)
    page = session.scalars(newest).all()
    while page:
        print("page:", ", ".join(drink.note for drink in page))
        notes += [drink.note for drink in page]
        page = session.scalars(newest.where(Drink.id < page[-1].id)).all()
    assert notes == ["juice", "milk", "water", "coffee", "tea"]

# Many rows.  With a key by a server default, add_all() sends one INSERT per
# row: SQLAlchemy 2.0 cannot tell which of several returned keys belongs to which
# object.  2.1 can if the default is func.uuid_generate_v7(monotonic=True).
statements = []


@event.listens_for(engine, "before_cursor_execute")
def count(connection, cursor, statement, *_):
    statements.append(statement)


names = [f"guest {n}" for n in range(3000)]

# With keys that were fetched first, it sends all rows at once.
with Session(engine) as session:
    keys = session.scalars(
        select(func.uuid_generate_v7()).select_from(
            func.generate_series(1, len(names))
        )
    ).all()
    session.add_all(Guest(id=key, name=name) for key, name in zip(keys, names))
    session.commit()
print("many rows:", len(statements), "statements")
assert len(statements) == 2

# Without objects, 1,000 rows at once
statements.clear()
with Session(engine) as session:
    keys = session.scalars(
        insert(Guest).returning(Guest.id), [{"name": name} for name in names]
    ).all()
    session.commit()
print("many rows:", len(statements), "statements")
assert (len(statements), len(set(keys))) == (3, 3000)
