from django.db import migrations, models

from game.indexing import AddIndexUnderLoad


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('game', '0013_game_ended_of_player_kind'),
    ]

    operations = [
        AddIndexUnderLoad(
            model_name='game',
            index=models.Index(condition=models.Q(('ended_at__isnull', False), ('first_ms__isnull', False)), fields=['deal_code', 'status', '-ended_at', '-id'], name='game_ended_on_deal'),
        ),
    ]
