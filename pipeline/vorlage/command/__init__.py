"""What all commands share: errors in one line, options, progress, processes."""
