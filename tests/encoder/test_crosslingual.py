"""German documents and English abstracts, aligned by an encoder that knows both."""

import numpy as np
from networks import PIECES, write_encoder
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from toy_training import settings
from vorlage.corpus.pair import Pair
from vorlage.encoder.similarities import measure
from vorlage.encoder.transformer import open_encoder
from vorlage.extract.extracts import Extract
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.train.training import Resources, train
from vorlage.text.tokenize import join_sentences

TRANSLATIONS = {
    "hund": "dog",
    "katze": "cat",
    "schläft": "sleeps",
    "jagt": "chases",
    "maus": "mouse",
    "gross": "big",
    "haus": "house",
}
TEXTS = [
    ("Der Hund jagt die Katze .", "Dog chases cat ."),
    ("Die Katze jagt die Maus .", "Cat chases mouse ."),
    ("Das Haus ist gross .", "Big house ."),
    ("Die Maus schläft .", "Mouse sleeps ."),
]


def multilingual(folder):
    """Write an encoder in which translations have one vector in the first layer; return it."""
    words = [*TRANSLATIONS, *TRANSLATIONS.values(), "der", "die", "das", "ist"]
    pieces = [*PIECES, *words]
    size = 32
    config, weights = write_encoder(folder, vocab_size=len(pieces), hidden_size=size, num_attention_heads=2)
    vectors = np.random.default_rng(3).normal(size=(len(pieces), size)).astype(np.float32)
    for german, english in TRANSLATIONS.items():
        vectors[pieces.index(english)] = vectors[pieces.index(german)]
    weights["embeddings.word_embeddings.weight"] = vectors
    for name in weights:
        if not name.startswith("embeddings.word"):
            weights[name] = weights[name] * np.float32(0.01)
    weights["embeddings.LayerNorm.weight"] = np.ones(size, np.float32)
    save_file(weights, folder / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_tokens(words)
    assert tokenizer.get_vocab_size() == len(pieces) == config["vocab_size"]
    tokenizer.save(str(folder / "tokenizer.json"))
    return open_encoder(str(folder), 0)


def test_words_are_linked_to_their_translations(tmp_path):
    encoder = multilingual(tmp_path)
    pairs = [
        Pair(f"p{k}", *(join_sentences([text], language="de") for text in texts))
        for k, texts in enumerate(TEXTS)
    ]
    corpus = [(pair, Extract(pair.id, (0,), ())) for pair in pairs]
    chosen = settings(encoder=True, wordnet=False, iterations=3)

    class Similar:
        about = encoder.about

        @staticmethod
        def get(pair, sentences):
            return measure(encoder, pair, sentences)

    reverse, _ = train(corpus, "relative", chosen, Resources(similarities=Similar()), reverse=True)
    resources = Resources(similarities=Similar(), reverse_model=reverse)
    model, _ = train(corpus, "relative", chosen, resources)
    assert model.language == "de"
    found = set()
    for pair in pairs:
        aligned = Aligner(model, similarities=lambda pair, sentences: measure(encoder, pair, sentences))
        for link in aligned.align(pair, (0,)).links:
            if link.document:
                left = " ".join(pair.summary.words[slice(*link.summary)]).lower()
                found.add((" ".join(pair.document.words[slice(*link.document)]).lower(), left))
    assert found >= set(TRANSLATIONS.items())
