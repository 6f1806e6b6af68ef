# Defaults: what a call that no rule decides is: the narrowest default that no allow lifts.
package modes

# METADATA
# description: How strongly the call is allowed as a whole, which is as strongly as its weakest part; 0 where one is not allowed.
default strength := 0

strength := max([_policy_strength, min(_part_strength_set)]) if count(_part_strength_set) > 0

# METADATA
# description: The strengths of all parts of the call.
_part_strength_set := union({
	_subject_strengths,
	_read_strengths,
	_write_strengths,
	_domain_strengths,
	_part_strengths,
	{strength | some strength in _command_coverage},
})

# METADATA
# description: The tool itself has to be allowed by name, unless it is known by what it touches.
_subject_strengths contains tool_strength if not _known_by_accesses

# METADATA
# description: The tool does nothing but its accesses, of which there are some.
_known_by_accesses if {
	input.tool.group in {"read", "edit"}
	some access in array.concat(input.reads, input.writes)
	not access.implied
}

_known_by_accesses if {
	input.tool.group == "command"
	count(input.bash.commands) > 0
}

_known_by_accesses if {
	input.tool.name == "WebFetch"
	count(input.domains) > 0
}

# METADATA
# description: The default that counts for this call.
default default_value := "pass"

default_value := "deny" if {
	_default_applies
	strength < data.rules.lifts.deny
} else := "ask" if {
	_default_applies
	strength < data.rules.lifts.ask
}

# METADATA
# description: No default meets the tools that only ask, list and end, our own tools, and the session's own files.
_default_applies if {
	not input.tool.group in {"meta", "own"}
	not _own_files
}
