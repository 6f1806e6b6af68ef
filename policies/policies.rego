# Custom policies: their decisions, made whole. One that is malformed is a deny and hides no other.
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
# description: Decisions that are objects with a reason and perhaps a remedy.
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
# description: Anything else denies and says where it comes from.
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
	"remedy": "Mend the policy.",
	"file": decision.file,
	"line": decision.line,
} if {
	some decision in data.modes.custom.decisions
	not is_string(decision.value)
	not _is_wellformed(decision.value)
}

# METADATA
# description: An object with a text as reason, and perhaps one as remedy, and nothing else.
_is_wellformed(value) if {
	is_string(value.reason)
	object.keys(value) - {"reason", "remedy"} == set()
	is_string(object.get(value, "remedy", ""))
}
