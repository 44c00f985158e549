from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0016_unlisted'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='tally',
            options={'verbose_name_plural': 'tallies'},
        ),
    ]
