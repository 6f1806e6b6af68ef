# Uncertainty: parts of a call that may write anywhere, in a mode with rules about writes.
package modes

# METADATA
# description: Indices of the parts that no allow rule and no grant names.
unnamed contains at if {
	some at, part in input.may_write_anywhere
	data.rules.guards_writes > 0
	not _is_named(part)
	not _is_granted("parts", at, 3)
	not input.granted.off
}

# METADATA
# description: >-
#   Parts with unknown or unparsable text. They can do anything a command can, including a protected write. So they count even
#   without rules about writes, and an allow rule does not help.
unnamed contains at if {
	some at, part in input.may_write_anywhere
	part.anything
	not _is_granted("parts", at, 3)
	not input.granted.off
}

# METADATA
# description: An allow rule that covers the part names it.
_is_named(part) if {
	part.kind == "tool"
	some id in _named
	_names(id)
}

_is_named(part) if {
	part.kind == "command"
	some id in _runnable[part.command]
	_names(id)
}

_is_named(part) if {
	part.kind == "command"
	some id in data.rules.allowed.keys[concat("", ["@", part.class])]
	_names(id)
}

# METADATA
# description: A rule that names the program or tool, and is strong enough compared with the rules about writes.
_names(id) if {
	data.rules.naming[id]
	data.rules.strength[id] >= data.rules.guards_writes
}
