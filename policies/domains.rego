# Domains: rules that meet the hosts of a call, whether WebFetch or a command reaches for them.
package modes

# METADATA
# description: Rules that meet a host, by the index of the host.
_reached[i] contains id if {
	some i, domain in input.domains
	some id in data.rules.domains.exact[domain.host]
}

# METADATA
# description: Hosts under a host, by labels; the first label stands for the host itself.
_reached[i] contains id if {
	some i, domain in input.domains
	some at, label in domain.labels
	at > 0
	some id in data.rules.domains.below[label]
}

# METADATA
# description: Rules for any host.
_reached[i] contains id if {
	some i, _ in input.domains
	some id in data.rules.domains.any
}

# METADATA
# description: Rules on a host.
hits contains {"id": id, "on": input.domains[i].host, "command": null, "via": ""} if {
	input.domains
	some i, ids in _reached
	some id in ids
	not _lifts("domains", i, id)
}

# METADATA
# description: A host that no allow of this strength covers. The hosts of a command go with running it.
_is_uncovered(strength) if {
	some i, _ in input.domains
	not _runs_commands
	not _may_reach(i, strength)
	not _is_allowed_by_name(strength)
}

# METADATA
# description: The call runs commands, by whatever tool.
_runs_commands if is_object(input.bash)

# METADATA
# description: An allow rule of this strength, or a grant, covers the host.
_may_reach(i, strength) if {
	some id in _reached[i]
	data.rules.strength[id] >= strength
} else if {
	_is_granted("domains", i, strength)
}
