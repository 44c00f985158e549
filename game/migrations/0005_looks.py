from django.db import migrations


def fill(apps, schema_editor):
    """Who came first keeps a name to themselves; a later look-alike stays as it is, without a look."""
    from game.spelling import look_of

    people = apps.get_model("game", "User").objects
    taken = set(people.exclude(look=None).values_list("look", flat=True))
    for key, name in people.filter(look=None).order_by("pk").values_list("pk", "username"):
        look = look_of(name)
        if look not in taken:
            taken.add(look)
            people.filter(pk=key).update(look=look)


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0004_names'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
