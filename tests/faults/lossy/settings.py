"""The tests' settings on the lossy layer."""

from tests.settings import *  # noqa: F403
from tests.settings import CHANNEL_LAYERS

CHANNEL_LAYERS["default"]["BACKEND"] = "tests.faults.lossy.layer.LossyLayer"
