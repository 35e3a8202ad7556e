package redacttest

// vocabulary are common English words. Each is also a word of the list that
// wallets make their seed phrases of.
var vocabulary = []string{
	"able", "about", "above", "absent", "act", "actor", "adapt", "advice", "again", "agree",
	"album", "all", "almost", "amount", "anchor", "apple", "argue", "arrow", "auto",
	"balance", "ball", "basic", "beach", "before", "better", "bird", "blue", "book", "brave",
	"bridge", "bring", "brown", "butter", "camera", "carbon", "cause", "chair", "cheese", "circle",
	"city", "clean", "clock", "cloud", "coffee", "color", "copper", "corn", "course", "cross",
	"daring", "decide", "delay", "dinner", "door", "dream", "eagle", "early", "earth", "echo",
	"energy", "engine", "error", "event", "fabric", "family", "field", "final", "fish", "flower",
	"forest", "fruit", "garden", "glass", "gold", "grape", "green", "guide", "hammer", "harbor",
	"hill", "honey", "horse", "idea", "island", "jacket", "journey", "kitchen", "ladder", "lake",
	"lemon", "library", "light", "lion", "major", "maple", "marble", "market", "message", "middle",
	"mirror", "moon", "mountain", "music", "needle", "noble", "north", "ocean", "olive", "orange",
	"orbit", "paper", "pepper", "pilot", "planet", "pond", "potato", "puzzle", "rabbit", "rain",
	"ranch", "rhythm", "ribbon", "river", "rocket", "round", "salad", "salt", "school", "season",
	"shadow", "silver", "simple", "snow", "spider", "spring", "stone", "story", "sugar", "summer",
	"table", "tiger", "ticket", "timber", "tower", "travel", "turtle", "uncle", "unit", "urban",
	"valley", "velvet", "violin", "visit", "wagon", "water", "window", "winter", "wood", "yellow",
}
