from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0014_game_ended_on_deal'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='game',
            name='game_on_deal',
        ),
        migrations.RemoveIndex(
            model_name='game',
            name='game_given_up_on_deal',
        ),
    ]
