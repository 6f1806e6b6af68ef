# Defaults: the verdict on a call that no rule decides.
package modes

# METADATA
# description: >-
#   The most restrictive default that no allow overrides. An allow overrides a default of its own layer or of a less
#   authoritative one.
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
# description: Defaults do not apply to tools that only ask, list and end, to Modes' own tools, and to the session's own files.
_default_applies if {
	input.tool.group != "meta"
	input.tool.group != "own"
	not _touches_only_own_files
}

# METADATA
# description: >-
#   Rules of at least this strength, or grants, allow every part of the call, or a custom policy allows the whole call.
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
# description: The strength of an allow of a custom policy. It is the same as that of a rule of its layer.
_policy_strength(name) := data.rules.policies[name] if {
	data.rules.policies[name]
} else := 2 if {
	data.rules.trusted
} else := 1
