# Defaults: what a call is that no rule decides.
package modes

# METADATA
# description: >-
#   The narrowest default that no allow lifts. A default is lifted by an allow of its own layer or a more authoritative one.
default _default := "pass"

_default := "deny" if {
	needed := data.rules.lifts.deny
	_default_applies
	not _is_allowed_at(needed)
} else := "ask" if {
	needed := data.rules.lifts.ask
	_default_applies
	not _is_allowed_at(needed)
}

# METADATA
# description: No default meets tools that only ask, list and end, our own tools, and the session's own files.
_default_applies if {
	input.tool.group != "meta"
	input.tool.group != "own"
	not _touches_only_own_files
}

# METADATA
# description: >-
#   Every part of the call is allowed by rules at least this strong or by grants, or the whole by a custom policy.
_is_allowed_at(strength) if {
	_is_met("allow")
	not _is_uncovered(strength)
}

_is_allowed_at(strength) if {
	some policy in policies
	policy.effect == "allow"
	_policy_strength(policy.name) >= strength
}

_is_allowed_at(strength) if {
	input.granted.off
	_is_in_reach(strength)
} else if {
	input.granted
	not _is_uncovered(strength)
}

# METADATA
# description: What an allow of a custom policy is worth, as much as one of its layer's rules.
_policy_strength(name) := data.rules.policies[name] if {
	data.rules.policies[name]
} else := 2 if {
	data.rules.trusted
} else := 1
