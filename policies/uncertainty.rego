# Uncertainty: parts of a call that may write anywhere, where some rule is about writes.
package modes

# METADATA
# description: Indices of the parts that no allow rule names.
unnamed contains at if {
	data.rules.guards_writes > 0
	some at, part in input.may_write_anywhere
	not _is_named(part)
}

# METADATA
# description: An allow rule that is strong enough, covers the part and names it.
_is_named(part) if {
	some id in _allowing(part)
	data.rules.naming[id]
	data.rules.strength[id] >= data.rules.guards_writes
}

# METADATA
# description: Allow rules that cover a part.
_allowing(part) := _names_allowed if part.kind == "tool"

_allowing(part) := _commands_allowed[part.command] | _part_rules(part) if {
	part.kind == "command"
	part.command != null
}

_allowing(part) := _part_rules(part) if {
	part.kind == "command"
	part.command == null
}
