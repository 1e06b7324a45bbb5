"""Django 5: db_default, so that the database makes the key."""

import os

import django
from django.conf import settings
from django.db import connection, models

# PGHOST and PGPORT are libpq's own
settings.configure(
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": os.environ["PGDATABASE"],
            "USER": os.environ["PGUSER"],
        }
    },
    USE_TZ=True,
)
django.setup()


class FluidGenerate(models.Func):
    function = "fluid_generate"
    output_field = models.BigIntegerField()


class UuidGenerateV7(models.Func):
    function = "uuid_generate_v7"
    output_field = models.UUIDField()


class Order(models.Model):
    id = models.BigIntegerField(primary_key=True, db_default=FluidGenerate())
    ref = models.UUIDField(unique=True, db_default=UuidGenerateV7())
    note = models.TextField()

    class Meta:
        app_label = "examples"
        db_table = "orders"


with connection.cursor() as cursor:
    cursor.execute("DROP TABLE IF EXISTS orders")
with connection.schema_editor() as editor:
    editor.create_model(Order)

made = [
    Order.objects.create(note=note)
    for note in ["tea", "coffee", "water", "milk", "juice"]
]
assert isinstance(made[0].id, int)
for order in made:
    order.refresh_from_db()
assert made[0].ref.version == 7

found = Order.objects.get(id=made[1].id)
assert (found, found.ref, found.note) == (made[1], made[1].ref, "coffee")

# From the newest on, two a page
notes = []
newest = Order.objects.order_by("-id")
page = list(newest[:2])
while page:
    notes += [order.note for order in page]
    page = list(newest.filter(id__lt=page[-1].id)[:2])
assert notes == ["juice", "milk", "water", "coffee", "tea"]
