# METADATA
# title: Network egress by list
# description: Hosts on the list and below them may be reached; others are denied, and unknown ones asked.
# scope: package
# custom:
#   remedy: Ask a person to add the host to egress.rego.
package modes.policy.egress

# METADATA
# description: Hosts that may be reached, with everything below them.
_open := {"github.com", "npmjs.org", "localhost"}

deny contains $"{domain.host} is not on the list of hosts that may be reached" if {
	some domain in input.domains
	not _is_open(domain)
}

ask contains $"{command.text} reaches the network, and where is not known before it runs" if {
	some command in input.bash.commands
	command.network
	count(input.domains) == 0
	not command.name in _package_managers
}

# METADATA
# description: Programs that reach the registry of their own configuration.
_package_managers := {"npm", "pnpm", "yarn", "pip", "pip3", "git"}

# labels of api.github.com are api.github.com, github.com and com.
_is_open(domain) if {
	some label in domain.labels
	label in _open
}
