from django.db import migrations, models

from game.indexing import AddIndexUnderLoad


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('game', '0010_pool'),
    ]

    operations = [
        AddIndexUnderLoad(
            model_name='game',
            index=models.Index(fields=['player', 'deal_code', '-ended_at', '-id'], name='game_of_player_on_deal'),
        ),
    ]
