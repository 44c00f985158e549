from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0015_two_indexes_less'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='unlisted',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='game',
            name='unranked_because',
            field=models.CharField(blank=True, choices=[('practice', 'practice: these cards had been seen before'), ('guest', 'played as a guest'), ('pace', 'played faster than a person can'), ('clock', "the server's clock was set while it was played"), ('removed', 'taken off the boards by those who run the site'), ('unlisted', 'unlisted when it was won')], default='', max_length=10),
        ),
    ]
