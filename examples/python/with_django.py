"""Django 5: with db_default the database generates the key."""

import os
from datetime import timedelta

import django
from django.conf import settings
from django.contrib.postgres.operations import CreateExtension
from django.db import connection, models
from django.db.migrations.state import ProjectState
from django.urls import Resolver404, path, register_converter, resolve, reverse
from django.utils import timezone

# libpq reads PGHOST, PGPORT and PGUSER
settings.configure(
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": os.environ.get("PGDATABASE", "postgres"),
            "OPTIONS": {"options": "-c search_path=flakeid_example,public"},
        }
    },
    ROOT_URLCONF=__name__,
    USE_TZ=True,
)
django.setup()


class FluidGenerate(models.Func):
    function = "fluid_generate"
    output_field = models.BigIntegerField()


class UuidGenerateV7(models.Func):
    function = "uuid_generate_v7"
    output_field = models.UUIDField()


class FluidBetween(models.Func):
    function = "fluid_in_range"
    output_field = models.BooleanField()


class UuidV7Between(models.Func):
    function = "uuid_v7_in_range"
    output_field = models.BooleanField()


class Drink(models.Model):
    id = models.BigIntegerField(primary_key=True, db_default=FluidGenerate())
    ref = models.UUIDField(unique=True, db_default=UuidGenerateV7())
    note = models.TextField()

    class Meta:
        app_label = "examples"
        db_table = "drinks"


class Guest(models.Model):
    id = models.UUIDField(primary_key=True, db_default=UuidGenerateV7())
    name = models.TextField()

    class Meta:
        app_label = "examples"
        db_table = "guests"


# In a project these are the operations of its first migration, which also runs
# in the test database.
with connection.schema_editor() as editor:
    state = ProjectState()
    CreateExtension("flakeid").database_forwards("examples", editor, state, state)
with connection.cursor() as cursor:
    cursor.execute("CREATE SCHEMA IF NOT EXISTS flakeid_example")
    for table in ["drinks", "guests"]:
        cursor.execute(f"DROP TABLE IF EXISTS flakeid_example.{table}")
with connection.schema_editor() as editor:
    editor.create_model(Drink)
    editor.create_model(Guest)

made = [
    Drink.objects.create(note=note)
    for note in ["tea", "coffee", "water", "milk", "juice"]
]
assert isinstance(made[0].id, int)
for drink in made:
    drink.refresh_from_db()
    print("inserted", drink.id, drink.ref, drink.note)
assert made[0].ref.version == 7
guests = [Guest.objects.create(name=name) for name in ["Ada", "Grace"]]
for guest in guests:
    print("guest", guest.id, guest.name)

found = Drink.objects.get(id=made[1].id)
print(f"found {found.id}: {found.note}")
assert (found, found.ref, found.note) == (made[1], made[1].ref, "coffee")


# In URLs, as fluid_to_text(id, 'f58plain') writes ids; any other text gives 404
DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class FluidConverter:
    regex = f"f[{DIGITS}]{{1,11}}"

    def to_python(self, value):
        number = 0
        for digit in value[1:]:
            number = 58 * number + DIGITS.index(digit)
        if number >= 2**63:
            raise ValueError(value)
        return number

    def to_url(self, value):
        digits = ""
        while value or not digits:
            value, digit = divmod(value, 58)
            digits = DIGITS[digit] + digits
        return "f" + digits


register_converter(FluidConverter, "fluid")
urlpatterns = [path("drinks/<fluid:pk>/", lambda request, pk: None, name="drink")]

url = reverse("drink", kwargs={"pk": found.id})
with connection.cursor() as cursor:
    cursor.execute("SELECT fluid_to_text(%s, 'f58plain')", [found.id])
    assert url == f"/drinks/{cursor.fetchone()[0]}/"
assert resolve(url).kwargs == {"pk": found.id}
for other in [str(found.id), "fNQm6nKp8qFD"]:
    try:
        resolve(f"/drinks/{other}/")
    except Resolver404:
        continue
    raise AssertionError(other)

# By time: from is inclusive, to is exclusive
hour = timedelta(hours=1)
bounds = [timezone.now() - hour, timezone.now() + hour]
drinks = Drink.objects.filter(FluidBetween("id", *bounds)).order_by("id")
met = Guest.objects.filter(UuidV7Between("id", *bounds)).order_by("id")
print(f"range: {len(drinks)} drinks, {len(met)} guests")
assert (list(drinks), list(met)) == (made, guests)

# Pages of two, newest first
notes = []
newest = Drink.objects.order_by("-id")
page = list(newest[:2])
while page:
    print("page:", ", ".join(drink.note for drink in page))
    notes += [drink.note for drink in page]
    page = list(newest.filter(id__lt=page[-1].id)[:2])
assert notes == ["juice", "milk", "water", "coffee", "tea"]
