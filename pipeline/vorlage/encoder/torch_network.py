"""Networks by torch, which `make torch` installs: those that `vorlage.encoder.bert` cannot run, and on a
GPU.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from vorlage.command.errors import InputError
from vorlage.types import Vectors


class TorchNetwork:
    """A network that transformers can read, on a `device` of torch, such as `cpu` or `cuda`.

    `size`, `layers`, `longest`, `pieces`: as those of `vorlage.encoder.bert.Bert`. Raises
    `InputError` if a package, the network or the device is missing.
    """

    # torch and transformers are optional, so their objects have no types.
    _torch: Any
    _model: Any

    def __init__(self, folder: str, device: str) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise InputError(
                f"the encoder {folder} needs {error.name}; install it with `make torch`, or choose an "
                "encoder of the form of BERT and `embed.device: cpu`"
            ) from None
        transformers.logging.set_verbosity_error()
        # With more threads, sums are taken in another order.
        torch.set_num_threads(1)
        self._torch, self._device = torch, device
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # Weights in a format other than safetensors are a pickle, which could run any code.
                model = transformers.AutoModel.from_pretrained(
                    folder, use_safetensors=True, local_files_only=True
                )
            self._model = model.eval().to(device)
        except Exception as error:  # they raise many kinds for a wrong folder or device
            reason = " ".join(str(error).split())[:200]
            raise InputError(
                f"the encoder {folder} cannot be loaded on `embed.device` {device} ({type(error).__name__}: "
                f"{reason}); pass a folder with an encoder whose weights are safetensors, or try cpu"
            ) from None
        config = self._model.config
        self.size, self.layers = config.hidden_size, config.num_hidden_layers
        self.longest, self.pieces = config.max_position_embeddings, config.vocab_size

    def hidden_states(self, texts: Sequence[Sequence[int]], layers: Sequence[int]) -> Vectors:
        """Return what `vorlage.encoder.bert.Bert.hidden_states` returns."""
        lengths = np.array([len(text) for text in texts])
        mask = np.arange(lengths.max()) < lengths[:, None]
        pieces = np.full(mask.shape, self._model.config.pad_token_id or 0)
        pieces[mask] = np.concatenate([np.asarray(text) for text in texts])
        with self._torch.inference_mode():
            states = self._model(
                input_ids=self._torch.from_numpy(pieces).to(self._device),
                attention_mask=self._torch.from_numpy(mask.astype(np.int64)).to(self._device),
                output_hidden_states=True,
            ).hidden_states
        return np.stack([states[layer].cpu().numpy()[mask] for layer in layers])
