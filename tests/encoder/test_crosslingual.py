"""German documents and English abstracts, aligned by an encoder that knows both."""

import numpy as np
from toy_training import settings
from vorlage.documents.pair import Pair
from vorlage.encoder.similarities import Similarities
from vorlage.extract.extracts import Extract
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.train.training import Resources, train
from vorlage.text.tokenize import make_text

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


class Translations:
    """The similarities of an encoder in which translations have one vector."""

    about = {"model": "0123456789ab", "layer": 0}

    def get_all(self, pairs):
        return [self.get(*pair) for pair in pairs]

    @staticmethod
    def get(pair, sentences):
        document, summary = ([word.lower() for word in side.words] for side in (pair.document, pair.summary))
        same = [[float(TRANSLATIONS.get(d, d) == s) for d in document] for s in summary]
        return Similarities(np.array(same, dtype=np.float16), np.full((1, 1), 0.8, dtype=np.float32))


def test_words_are_linked_to_their_translations():
    pairs = [
        Pair(f"p{k}", *(make_text([text], language="de") for text in texts)) for k, texts in enumerate(TEXTS)
    ]
    corpus = [(pair, Extract(pair.id, (0,), ())) for pair in pairs]
    chosen = settings(encoder=True, wordnet=False, iterations=3)
    reverse, _ = train(corpus, "relative", chosen, Resources(similarities=Translations()), reverse=True)
    resources = Resources(similarities=Translations(), reverse_model=reverse)
    model, _ = train(corpus, "relative", chosen, resources)
    assert model.language == "de"
    aligner = Aligner(model, similarities=Translations().get_all)
    links = {
        (pair.document.words[j].lower(), pair.summary.words[i].lower())
        for pair in pairs
        for i, j in aligner.align(pair, (0,)).word_links()
    }
    assert links >= set(TRANSLATIONS.items())
