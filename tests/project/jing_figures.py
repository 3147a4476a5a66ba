"""The decomposed sentences that Jing (2002) prints in her Figures 3 and 5."""

# Jing 2002, Figure 3: a summary sentence and the document sentences 0, 1, 2 and 4 as printed there. Sentence
# 3 and sentences 5 to 24 are not printed; `unknown` keeps the place of sentence 3.
FIGURE_3_DOCUMENT = [
    "a proposed new law that would require web publishers to obtain parental consent before collecting "
    "personal information from children could destroy the spontaneous nature that makes the internet unique "
    "a member of the direct marketing association told a senate panel thursday",
    "arthur b sackler vice president for law and public policy of time warner inc said the association "
    "supported efforts to protect children online but he urged lawmakers to find some middle ground that "
    "also allows for interactivity on the internet",
    "for example a child's e-mail address is necessary in order to respond to inquiries such as updates on "
    "mark mcguire's and sammy sosa's home run figures this year or updates of an online magazine sackler "
    "said in testimony to the communications subcommittee of the senate commerce committee",
    "unknown",
    "the subcommittee is considering the children's online privacy protection act which was drafted on the "
    "recommendation of the federal trade commission",
]
FIGURE_3_SUMMARY = [
    (1, "arthur b sackler vice president for law and public policy of time warner inc"),
    (-1, "and"),
    (0, "a member of the direct marketing association told"),
    (2, "the communications subcommittee of the senate commerce committee"),
    (-1, "that legislation"),
    (1, "to protect"),
    (4, "children's"),
    (4, "privacy"),
    (4, "online"),
    (0, "could destroy the spontaneous nature that makes the internet unique"),
]

# Figure 5, punctuation left out as in Figure 3.
FIGURE_5_DOCUMENT = [
    "as to the effect to be given the motion for the issuance of the peremptory writ the return of the "
    "respondents notwithstanding it is well to state at the outset that under our decided cases such a "
    "motion stands as the equivalent of a demurrer to a pleading in a law action",
    "it operates as an admission by the relator of the truth of the facts well pleaded by the respondent but "
    "claims that in law the return presents no sufficient reason why the relief sought in the alternative "
    "writ should not be granted",
]
FIGURE_5_SUMMARY = [
    (0, "a motion for issuance of a peremptory writ"),
    (-1, "of mandamus"),
    (0, "notwithstanding"),
    (0, "the return"),
    (1, "operates as an admission by relator of truth of facts well pleaded"),
    (1, "but claims that in law the return presents no sufficient"),
    (-1, "ground"),
    (1, "why relief sought"),
    (1, "should not be granted"),
]
