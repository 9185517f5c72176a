"""What a person hears of: challenges, and games that begin and end, wherever the person listens."""
