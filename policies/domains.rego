# Domains: rules that meet the hosts of a call, whether WebFetch or a command reaches for them.
package modes

# METADATA
# description: Rules for a host, by its labels.
_domain_rules(tables, domain) := union({
	{id | some id in tables.exact[domain.host]},
	{id | some at, label in domain.labels; at > 0; some id in tables.below[label]},
	{id | some id in tables.any},
})

hits contains _tool_hit(id, domain.host) if {
	some domain in input.domains
	some id in _domain_rules(data.rules.domains.narrow, domain)
}

hits contains _tool_hit(id, domain.host) if {
	some domain in input.domains
	some id in _domain_rules(data.rules.domains.wide, domain)
}

# METADATA
# description: How strongly each host is allowed. The hosts of a command go with running it.
_domain_strengths contains strength if {
	some domain in input.domains
	input.bash == null
	strength := max({0, tool_strength} | {data.rules.strength[id] |
		input.tool.group == "web"
		some id in _domain_rules(data.rules.domains.wide, domain)
	})
}
