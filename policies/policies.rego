# Custom policies: their decisions in complete form. A malformed decision becomes a deny and hides no other decision.
package modes

# METADATA
# description: Decisions that are texts.
policies contains {
	"name": decision.name,
	"effect": decision.effect,
	"reason": decision.value,
	"remedy": null,
	"file": decision.file,
	"line": decision.line,
} if {
	some decision in data.modes.custom.decisions
	is_string(decision.value)
}

# METADATA
# description: Decisions that are objects with a reason and an optional remedy.
policies contains {
	"name": decision.name,
	"effect": decision.effect,
	"reason": decision.value.reason,
	"remedy": object.get(decision.value, "remedy", null),
	"file": decision.file,
	"line": decision.line,
} if {
	some decision in data.modes.custom.decisions
	_is_wellformed(decision.value)
}

# METADATA
# description: Any other value denies and names its place.
policies contains {
	"name": decision.name,
	"effect": "deny",
	"reason": concat("", [
		"the ",
		decision.effect,
		" of the policy ",
		decision.name,
		" (",
		decision.file,
		":",
		format_int(decision.line, 10),
		") is neither a text nor an object with a reason",
	]),
	"remedy": "Correct the policy.",
	"file": decision.file,
	"line": decision.line,
} if {
	some decision in data.modes.custom.decisions
	not is_string(decision.value)
	not _is_wellformed(decision.value)
}

# METADATA
# description: An object with a text as reason, optionally a text as remedy, and nothing else.
_is_wellformed(value) if {
	is_string(value.reason)
	object.keys(value) - {"reason", "remedy"} == set()
	is_string(object.get(value, "remedy", ""))
}
