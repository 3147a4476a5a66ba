"""Ends of sentences in six languages, in the manner of Universal Dependencies."""

import pytest
from vorlage.text.tokenize import make_text, split_text

# A vertical line stands where a sentence ends, beside the space if there is one.
CASES = {
    "en": [
        "“Who goes there?” the guard called. |No answer.",
        "He paused . . . then ran. |“Wait . . .” she said.",
        "Well . . . |I think so. |It cost $3 . . . maybe more.",
        "Die Firma zahlte am 12. Oktober 2020 rund 4 Mrd. Euro.",
        '"Stop!" he cried. |"Why?" |"Because." |They left.',
        "“I hear . . . nothing at all.” |She shut the door.",
        "It was gone . . . |Nobody asked why.",
        "We waited . . . and waited. |Then it came.",
        "“Is it far?” asked the boy. |Nobody knew.",
        "“Run!” |The gate was shut.",
        'He asked: "Is it far?" |Nobody knew.',
        "She wrote ‘It is done.’ |Then she slept.",
        "The barge (it is new!) sank. |It was insured.",
        "The barge sank. |(It was insured.) |Nobody drowned.",
        "Holt & Co. of Orm paid Dr. A. Brook 3.5 million. |He left on Feb. 2 at 5 p.m. for Sund.",
        "There were 12. |May was wet.",
        "It sank. |“No!” |'Tis true. |(So it is.)",
        'He wrote "gone." |"Why?" she asked. |Who? |– The boy.',
        "It sank! – or so they said. |We use .NET. |.NET is old.",
        "They sold it in 2019. |August was wet.",
        "Die Sitzung fand am 3. Mai 2021 statt.",
        "Sie zahlten 3,5 Mio. Euro für den Kai.",
    ],
    "de": [
        "»Nein, danke.« |Sie legte auf. |»Wer war das?«, wollte er wissen.",
        "Die Messe läuft vom 12. bis 14. Juni 2024. |Karten kosten ca. 15 Euro.",
        "Am 31. Dezember 1999 wurde es still. |Niemand wusste, warum.",
        "Er fragte: „Wann?“ |Sie sagte nichts.",
        "Heinrich VIII. regierte lange. |Er starb 1547.",
        "Dann kam er zurück. |„Ist es weit?“, wollte sie wissen. |Er schwieg.",
        "„Lauf!“, rief Anna. |Das Tor war zu.",
        "»Lauf!«, rief Anna. |»Wohin?« |Er schwieg.",
        "„Ist es weit?“ fragte der Junge. |„Nein.“ |Er ging weiter.",
        "Er sagte: „Es ist weit.“ |Dann ging er.",
        "Der Kai kostete 3,5 Mio. Euro. |Das war viel.",
        "Die Stadt zahlte 2 Mrd. Kronen bzw. 80 Prozent. |Der Rest fehlt.",
        "Am 3. Mai 2021 tagte der Rat im 2. Stock. |Am 4. Mai ging er.",
        "Das war im Jahr 2019. |Danach zog er fort.",
        "Er kaufte Holz, Seile usw. für das Boot. |Es sank.",
        "Dr. Holt wohnt in der Str. 5 in Orm. |Prof. Brandt wohnt z. B. in Sund.",
        "Das Boot (es ist neu!) sank. |Es war versichert.",
    ],
    "fr": [
        "« Où est-il ? », demanda-t-elle. |Personne ne répondit.",
        "« Je ne sais pas. » |Elle ferma la porte. |« Adieu ! »",
        "Le projet coûte 3 M. € env. |C’est trop.",
        "Le 1er mai, p. ex., tout est fermé. |Le 2 aussi.",
        "Elle ouvrit. |«\u00a0Courez\u202f!\u00a0» dit-elle. |Personne ne bougea.",
        "« Courez ! » cria-t-elle. |Personne ne bougea.",
        "« Est-ce loin ? » demanda l’enfant. |Il se tut.",
        "« C’est loin. » |Il se tut.",
        "Il a dit : « C’est loin. » |Puis il est parti.",
        "M. Brun et Mme Petit sont venus. |Ils ont parlé.",
        "Il y en avait 12. |Puis rien.",
        "Elle attendit... puis partit. |Le quai était vide.",
        "« Oui… », dit-il. |Elle sourit.",
    ],
    "es": [
        "—¿Quién es? —preguntó Luis. |—Soy yo.",
        "«¿Quién es?», preguntó. |Nadie contestó.",
        "¿Está lejos? |—No —dijo el niño.",
        "«¡Corre!», gritó Ana. |Nadie se movió.",
        "El Sr. López y la Dra. Ruiz llegaron a las 5. |Nadie habló.",
    ],
    "ja": [
        "「誰ですか？」と彼女が尋ねた。|返事はなかった。",
        "「もう帰る。」|彼は立ち上がった。",
        "彼は「無理だ！」って叫んだ。|みんな笑った。",
        "「走ろう！」と彼は言った。|門は閉まっていた。",
        "彼女は「遠いですか？」と聞いた。|誰も答えなかった。",
        "「もう遅い。」|「そうだね。」|二人は帰った。",
        "港は五月に開いた。|橋は十月にできた。",
        "彼は「はい。」とだけ答えた。|会議は終わった。",
    ],
    "zh": [
        "“谁在那里？”老人问。|没有人应声。",
        "她说：“我不去。”|大家都笑了。",
        "“快跑！”他喊道。|门关着。",
        "她问：“远吗？”|没有人回答。",
        "他说了一声“再见。”就走了。|天黑了。",
        "他来了。|“快跑！”|“去哪里？”",
        "港口五月开放。|大桥十月建成！|真快。",
    ],
    "it": [
        "«Chi è?» chiese Anna. |Nessuno rispose.",
        "Il dott. Rossi e la sig.ra Bianchi sono arrivati. |Hanno parlato.",
    ],
    "ru": [
        "«Кто там?» — спросил он. |Никто не ответил.",
        "Население — 3 млн. человек. |Это много.",
    ],
    "pl": [
        "Zapłacili 2 mln zł. |To dużo.",
    ],
    "sv": [
        "”Vem är det?” frågade hon. |Ingen svarade.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "case"), [(language, case) for language, cases in CASES.items() for case in cases]
)
def test_ends(language, case):
    text = split_text(case.replace("|", ""), language)
    found = [text.raw[slice(*text.characters(sentence))] for sentence in text.sentences]
    assert found == [sentence.strip() for sentence in case.split("|")]


def test_an_ellipsis_begins_a_sentence_behind_a_full_stop():
    text = make_text("They moved to Whittier. ... Who knows why?")
    assert text.words[3:6] == ["Whittier", ".", "..."] and len(text.sentences) == 2
