# Domains: rules that match the hosts of a call, whether WebFetch or a command contacts them.
package modes

# METADATA
# description: Rules that match a host, by the index of the host.
_reached[i] contains id if {
	some i, domain in input.domains
	some id in data.rules.domains.exact[domain.host]
}

# METADATA
# description: Hosts below a host, by labels. The first label is the host itself.
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
# description: A host that no allow rule of this strength covers. An allow rule for a command covers its hosts.
_is_uncovered(strength) if {
	some i, _ in input.domains
	not _runs_commands
	not _may_reach(i, strength)
	not _is_allowed_by_name(strength)
}

# METADATA
# description: The call runs commands, with any tool.
_runs_commands if is_object(input.bash)

# METADATA
# description: An allow rule of this strength, or a grant, covers the host.
_may_reach(i, strength) if {
	some id in _reached[i]
	data.rules.strength[id] >= strength
} else if {
	_is_granted("domains", i, strength)
}
