# Built-in protection: what nobody may do in any mode, and what is asked in every mode. The facts say what is met.
package modes

# METADATA
# description: Every protection met that denies, and every one that asks and that no allow rule lifts.
protections contains {"effect": met.effect, "name": met.name, "on": input.tool.name, "remedy": met.remedy} if {
	some met in input.protections
	met.effect == "deny"
}

protections contains {"effect": met.effect, "name": met.name, "on": input.tool.name, "remedy": met.remedy} if {
	some met in input.protections
	met.effect == "ask"
	not _allowed_by_own_name
}

protections contains {"effect": met.effect, "name": met.name, "on": access.path, "remedy": met.remedy} if {
	some access in input.writes
	met := access.protection
	met.effect == "deny"
}

protections contains {"effect": met.effect, "name": met.name, "on": access.path, "remedy": met.remedy} if {
	some i, access in input.writes
	met := access.protection
	met.effect == "ask"
	_write_coverage[i] < _trusted_strength
}

# METADATA
# description: An allow of an untrusted project is weaker than this and lifts no protection.
_trusted_strength := 2

# METADATA
# description: An allow rule names the tool itself, not a group or pattern that holds it.
_allowed_by_own_name if {
	some id in _names_allowed
	data.rules.naming[id]
	data.rules.strength[id] >= _trusted_strength
}
