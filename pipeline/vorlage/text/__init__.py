import os

if os.path.expanduser("~") == "~":  # a user of a container without a home, for whom NLTK would not start
    os.environ["HOME"] = os.sep
