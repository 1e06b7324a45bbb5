"""SQLAlchemy 2: a server default, fetched by the INSERT itself."""

import uuid

from sqlalchemy import BigInteger, create_engine, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"

    id: Mapped[int] = mapped_column(
        BigInteger, primary_key=True, server_default=func.fluid_generate()
    )
    ref: Mapped[uuid.UUID] = mapped_column(
        unique=True, server_default=func.uuid_generate_v7()
    )
    note: Mapped[str]


# PGHOST, PGDATABASE, ... say where
engine = create_engine("postgresql+psycopg://")
Base.metadata.drop_all(engine)
Base.metadata.create_all(engine)

with Session(engine) as session:
    made = []
    for note in ["tea", "coffee", "water", "milk", "juice"]:
        order = Order(note=note)
        session.add(order)
        session.flush()
        made.append((order.id, order.ref, note))
    session.commit()
    assert made[0][1].version == 7

with Session(engine) as session:
    order = session.get(Order, made[1][0])
    assert (order.id, order.ref, order.note) == made[1]

    # From the newest on, two a page
    notes = []
    newest = select(Order).order_by(Order.id.desc()).limit(2)
    page = session.scalars(newest).all()
    while page:
        notes += [order.note for order in page]
        page = session.scalars(newest.where(Order.id < page[-1].id)).all()
    assert notes == ["juice", "milk", "water", "coffee", "tea"]
