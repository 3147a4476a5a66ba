"""The embedding aligner: words whose contextual vectors are each other's nearest (Jalili Sabet et al. 2020).

    python -m pipeline.baselines.embed --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

SimAlign's method Argmax: summary word i and document word j of the extract are linked when j is the most
similar of all to i and i of all to j, by the cosine of their vectors in a hidden layer of a pretrained
encoder. A word's vector is the mean of its pieces'. Sentences are encoded one by one, as there: with others
around them words find wrong ones more often. `make embed` installs what it wants. One thread: with more,
sums come in another order and near ties may be decided otherwise.
"""

import os
import warnings

import numpy as np

from pipeline import settings
from pipeline.alignments import Alignment
from pipeline.baselines.encoder import find_model
from pipeline.baselines.system import arguments, word_links, write_all
from pipeline.errors import InputError, command
from pipeline.fingerprint import digest, file_digest, fingerprint
from pipeline.progress import start_log

SYSTEM = "embed"
BATCH = 16


class Encoder:
    """Contextual word vectors of a pretrained encoder.

    ``model``: a folder, its weights as safetensors; ``layer``: which hidden layer, 0 being the word
    embeddings. Raises :class:`InputError` where a package, the model or its layer is missing.
    """

    def __init__(self, model, layer):
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            import torch
            import transformers
        except ImportError as error:
            raise InputError(
                f"the embedding aligner cannot import {error.name}; install it with `make embed`, "
                "or leave `embed` out of `systems`"
            ) from None
        transformers.logging.set_verbosity_error()
        torch.set_num_threads(1)
        self._torch = torch
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._tokenizer = transformers.AutoTokenizer.from_pretrained(
                    model, use_fast=True, local_files_only=True
                )
                # Weights in another format than safetensors are a pickle, which could run anything.
                self._model = transformers.AutoModel.from_pretrained(
                    model, use_safetensors=True, local_files_only=True
                ).eval()
        # Whatever transformers makes of a wrong folder.
        except Exception as error:
            reason = str(error).split("\n")[0][:200]
            raise InputError(
                f"the encoder {model} cannot be loaded ({type(error).__name__}: {reason}); "
                "set `embed.model` to a folder with one, its weights as safetensors"
            ) from None
        config = self._model.config
        if not 0 <= layer <= config.num_hidden_layers:
            raise InputError(
                f"`embed.layer` is {layer}; the encoder {model} has layers 0 to {config.num_hidden_layers}"
            )
        self._layer = layer
        special = self._tokenizer.num_special_tokens_to_add()
        self._room = min(self._tokenizer.model_max_length, config.max_position_embeddings) - special

    def encode(self, words, sentences):
        """Unit vectors of the words of a text, float32 (words, size); zero for a word without pieces.

        ``sentences``: half-open spans that cover ``words`` in order.
        """
        sizes = [len(pieces) for pieces in self._tokenizer(words, add_special_tokens=False)["input_ids"]]
        spans = windows(sentences, sizes, self._room)
        vectors = np.zeros((len(words), self._model.config.hidden_size), dtype=np.float32)
        spans.sort(key=lambda span: span[1] - span[0])
        for first in range(0, len(spans), BATCH):
            chosen = spans[first : first + BATCH]
            for (start, end), found in zip(chosen, self._batch([words[a:b] for a, b in chosen]), strict=True):
                vectors[start:end] = found
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(norms > 0, norms, 1)

    def _batch(self, texts):
        made = self._tokenizer(
            texts, is_split_into_words=True, padding=True, truncation=True, return_tensors="pt"
        )
        with self._torch.inference_mode():
            states = self._model(**made, output_hidden_states=True).hidden_states[self._layer].numpy()
        for k, words in enumerate(texts):
            of = [-1 if w is None else w for w in made.word_ids(k)]
            of, state = np.array(of), states[k]
            sums = np.zeros((len(words), state.shape[1]), dtype=np.float32)
            np.add.at(sums, of[of >= 0], state[of >= 0])
            yield sums / np.maximum(np.bincount(of[of >= 0], minlength=len(words)), 1)[:, None]


def windows(sentences, sizes, room):
    """Each sentence as a half-open span of words, one of more than ``room`` pieces as several.

    ``sizes``: pieces of each word; of a word of more than ``room`` only the first count.
    """
    found = []
    for start, end in sentences:
        used = 0
        for word in range(start, end):
            if used and used + sizes[word] > room:
                found.append((start, word))
                start, used = word, 0
            used += sizes[word]
        found.append((start, end))
    return found


def mutual(summary, document):
    """Mutual best matches of the rows of two matrices: a dict row of ``summary`` → row of ``document``.

    The earlier of equally similar ones is the best; a zero row has none.
    """
    similarity = summary @ document.T
    there, back = similarity.argmax(axis=1), similarity.argmax(axis=0)
    return {i: int(j) for i, j in enumerate(there) if back[j] == i and similarity[i, j] > 0}


def align(pair, extract, encoder, mark=""):
    """The :class:`Alignment` of a pair."""
    positions = extract.positions(pair.document)
    document, summary = pair.document.words, pair.summary.words
    left = encoder.encode(summary, pair.summary.sentences)
    kept = [pair.document.sentences[s] for s in extract.sentences]
    ends = np.cumsum([0, *(end - start for start, end in kept)]).tolist()
    right = encoder.encode([document[p] for p in positions], list(zip(ends[:-1], ends[1:], strict=True)))
    cells = {i: [int(positions[j])] for i, j in mutual(left, right).items()}
    return Alignment(pair.id, SYSTEM, None, document, summary, word_links(cells, len(summary)), mark)


@command
def main(given=None):
    """Run the aligner from the command line."""
    parser = arguments("pipeline.baselines.embed", __doc__)
    settings.add_options(parser, SYSTEM)
    options = parser.parse_args(given)
    start_log(options.log)
    chosen = settings.from_options(options, SYSTEM)
    model = find_model(chosen["model"])
    if model is None:
        raise InputError(
            f"`embed.model` is {chosen['model']}, which is no folder; download it with "
            "`python -m pipeline.baselines.encoder`, as the workflow does, and give the folder"
        )
    encoder = Encoder(model, chosen["layer"])
    mark = digest((fingerprint("pipeline.baselines.embed"), file_digest(model), chosen["layer"]))
    write_all(options, SYSTEM, lambda pair, extract: align(pair, extract, encoder, mark))


if __name__ == "__main__":
    main()
