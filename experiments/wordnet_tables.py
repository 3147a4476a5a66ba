"""Makes the tables of WordNet in the package from the WordNet 3.0 among NLTK's data.

    python experiments/wordnet_tables.py pipeline/vorlage/models/wordnet.npz

`vorlage.text.wordnet.WordNet` describes the tables; they hold the licence of WordNet too. The length of a
link to a hypernym is the information content that it loses; the content of a synset is
log₂(synsets / those at or below it), rounded to bits.
"""

import math
import re
import sys
from collections import Counter

import numpy as np
from nltk.corpus import wordnet
from nltk.corpus.reader.wordnet import Synset
from vorlage.files.arrays import concatenate_ragged, lines_to_array
from vorlage.text.wordnet import PARTS_OF_SPEECH


def hypernyms(synset):
    """Return the hypernyms of a synset and the classes of an instance."""
    return synset.hypernyms() + synset.instance_hypernyms()


def make_tables():
    """Return the tables; synsets are numbered by part of speech, then by their place in WordNet's files."""
    parents, lengths = {}, []
    for part in PARTS_OF_SPEECH:
        synsets = sorted(wordnet.all_synsets(part), key=Synset.offset)
        below = Counter(x for synset in synsets for x in {synset, *synset.closure(hypernyms)})
        contents = {x: round(math.log2(len(synsets) / count)) for x, count in below.items()}
        for synset in synsets:
            parents[synset] = hypernyms(synset) if part in "nv" else []
            lengths.append([contents[synset] - contents[x] for x in parents[synset]])
            if synset.pos() == "s":
                parents[synset] = synset.similar_tos()
                lengths[-1] = [1] * len(parents[synset])
    numbers = {synset: number for number, synset in enumerate(parents)}
    by_offset = {(x.pos().replace("s", "a"), x.offset()): number for x, number in numbers.items()}
    lemmas = sorted(set(wordnet.all_lemma_names()))
    senses, senses_at = concatenate_ragged(
        [
            [by_offset[part, x] for x in wordnet._lemma_pos_offset_map[lemma].get(part, ())]
            for part in PARTS_OF_SPEECH
            for lemma in lemmas
        ]
    )
    rows = {lemma: row for row, lemma in enumerate(lemmas)}
    opposites = {lemma: set() for lemma in lemmas}
    for lemma in (lemma for synset in parents for lemma in synset.lemmas()):
        opposites[lemma.name().lower()].update(rows[other.name().lower()] for other in lemma.antonyms())
    antonyms, antonyms_at = concatenate_ragged([sorted(opposites[lemma]) for lemma in lemmas])
    above, above_at = concatenate_ragged([[numbers[x] for x in synsets] for synsets in parents.values()])
    exceptions = [
        f"{part} {' '.join(line.split())}"
        for part, name in zip(PARTS_OF_SPEECH, ("noun", "verb", "adj", "adv"), strict=True)
        for line in wordnet.open(f"{name}.exc")
    ]
    licence = [line for line in wordnet.open("data.noun") if line.startswith(" ")]
    return {
        "lemmas": lines_to_array(lemmas),
        "exceptions": lines_to_array(exceptions),
        "licence": lines_to_array(re.sub(r"^ *\d+ ", "", line).rstrip() for line in licence),
        "hypernym": np.array([synset.pos() in "nv" for synset in parents]),
        "lengths": concatenate_ragged(lengths, np.int8)[0],
        **{"senses": senses, "senses_at": senses_at.astype(np.int32)},
        **{"antonyms": antonyms, "antonyms_at": antonyms_at.astype(np.int32)},
        **{"above": above, "above_at": above_at.astype(np.int32)},
    }


if __name__ == "__main__":
    np.savez(sys.argv[1], allow_pickle=False, **make_tables())  # inflating takes longer than reading
