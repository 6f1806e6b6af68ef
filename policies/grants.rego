# Grants: permissions that a person gave for a time. The input has the accesses of the call that they name, or no `granted` if
# there are no grants.
package modes

# METADATA
# description: Indices of the granted items, by list of the input.
_granted[list] contains at if {
	some list, indices in input.granted
	is_array(indices)
	some at in indices
}

# METADATA
# description: >-
#   A deny or ask rule does not apply to the access at this index of this list of the input, since a person granted the access
#   or switched rules off. Rules of the organization always apply.
_lifts(list, at, id) if {
	input.granted
	at in _granted[list]
	_is_liftable(id)
} else if {
	input.granted.off
	_is_liftable(id)
}

# METADATA
# description: >-
#   The same for a rule that matches the call by its name. Grants for all accesses of a call are a grant for the call.
_lifts_call(id) if {
	_is_call_granted
	_is_liftable(id)
}

# METADATA
# description: The same for a decision of a custom policy, which is about the whole call.
_lifts_policy(policy) if {
	_is_call_granted
	policy.effect != "allow"
	_policy_strength(policy.name) < 4
}

# METADATA
# description: Rules are switched off, or grants name everything that an allow rule would have to cover.
_is_call_granted if {
	input.granted.off
} else if {
	input.granted
	not _is_uncovered(9)
}

# METADATA
# description: Rules of the user, of the project, and of one person in the project.
_is_liftable(id) if data.rules.layer[id] in {"user", "project", "local"}

# METADATA
# description: A grant covers the access at this index of this list of the input, like an allow of this strength.
_is_granted(list, at, strength) if {
	at in _granted[list]
	_is_in_reach(strength)
}

# METADATA
# description: >-
#   The strength of a grant as an allow. It overrides every default except the organization's. The strength 9 means grants only.
_is_in_reach(strength) if strength <= 3

_is_in_reach(9)

# METADATA
# description: A grant overrides the built-in protection of the write at this index.
_is_path_granted(at) if at in _granted.paths

# METADATA
# description: The organization's own rules allow the call without any grant.
_is_allowed_by_organisation if {
	_is_met("allow")
	not _is_uncovered(4)
}
