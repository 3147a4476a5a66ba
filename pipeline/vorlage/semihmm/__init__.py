"""The semi-HMM (Daumé & Marcu 2005): its parameters, training and decoding."""
