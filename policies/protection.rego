# Built-in protection: calls that are denied in every mode, and calls that need approval in every mode. The facts contain the
# protections that matched.
package modes

# METADATA
# description: Protection of the call itself. An allow rule that names the tool overrides an ask.
protections contains {"effect": met.effect, "name": met.name, "on": input.tool.name, "remedy": met.remedy} if {
	some met in input.protections
	_is_in_force(met)
}

# METADATA
# description: A deny always applies. An ask applies unless an allow rule names the tool.
_is_in_force(met) if met.effect == "deny"

_is_in_force(met) if {
	met.effect == "ask"
	not _is_allowed_by_own_name
}

# METADATA
# description: A trusted allow rule names the tool, agent or skill itself, not a group or pattern that contains it.
_is_allowed_by_own_name if {
	some id in _named
	data.rules.naming[id]
	data.rules.strength[id] >= 2
}

# METADATA
# description: Protection of a path. An allow rule that covers the write overrides an ask.
protections contains {"effect": met.effect, "name": met.name, "on": access.path, "remedy": met.remedy} if {
	some i, access in input.writes
	met := access.protection
	is_object(met)
	not _is_lifted(i, access, met)
	not _is_path_granted(i)
}

# METADATA
# description: An ask that a trusted allow rule overrides.
_is_lifted(i, access, met) if {
	met.effect == "ask"
	not met.firm
	_may_write(i, access, 2)
}
