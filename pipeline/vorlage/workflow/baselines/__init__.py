"""Systems to compare with: Cut & Paste, translation models, encoders, identity."""
