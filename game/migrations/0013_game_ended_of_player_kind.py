from django.db import migrations, models

from game.indexing import AddIndexUnderLoad


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('game', '0012_game_ended_of_kind'),
    ]

    operations = [
        AddIndexUnderLoad(
            model_name='game',
            index=models.Index(condition=models.Q(('ended_at__isnull', False), ('first_ms__isnull', False)), fields=['player', 'rules_slug', 'variant', 'status', '-ended_at', '-id'], name='game_ended_of_player_kind'),
        ),
    ]
