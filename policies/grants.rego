# Grants: what a person opened for a time. The input says which accesses of the call they name; absent where there are none.
package modes

# METADATA
# description: Indices of what a person granted, by the list of the input.
_granted[list] contains at if {
	some list, indices in input.granted
	is_array(indices)
	some at in indices
}

# METADATA
# description: >-
#   A deny or ask rule does not count against the access at this index of this list of the input: a person granted the access, or
#   switched rules off. What the organisation says stays.
_lifts(list, at, id) if {
	input.granted
	at in _granted[list]
	_is_liftable(id)
} else if {
	input.granted.off
	_is_liftable(id)
}

# METADATA
# description: The same for a rule that meets the call by its name. Grants for all that the call does are grants for the call.
_lifts_call(id) if {
	_is_call_granted
	_is_liftable(id)
}

# METADATA
# description: And for a decision of a custom policy, which is about the whole call.
_lifts_policy(policy) if {
	_is_call_granted
	policy.effect != "allow"
	_policy_strength(policy.name) < 4
}

# METADATA
# description: Rules are switched off, or grants name everything that an allow would have to cover.
_is_call_granted if {
	input.granted.off
} else if {
	input.granted
	not _is_uncovered(9)
}

# METADATA
# description: Rules of the user, the project and one person there.
_is_liftable(id) if data.rules.layer[id] in {"user", "project", "local"}

# METADATA
# description: A grant covers the access at this index of this list of the input, like an allow of this strength.
_is_granted(list, at, strength) if {
	at in _granted[list]
	_is_in_reach(strength)
}

# METADATA
# description: What a grant is worth as an allow. It lifts every default but the organisation's; 9 asks for grants alone.
_is_in_reach(strength) if strength <= 3

_is_in_reach(9)

# METADATA
# description: A grant lifts the built-in protection of the path that is written at this index.
_is_path_granted(at) if at in _granted.paths

# METADATA
# description: The organisation's own rules allow the call, whatever was granted.
_is_allowed_by_organisation if {
	_is_met("allow")
	not _is_uncovered(4)
}
