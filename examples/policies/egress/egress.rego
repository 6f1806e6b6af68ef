# METADATA
# title: Network egress allowlist
# description: Allows the listed hosts and their subdomains, denies other hosts, and asks if the host is unknown.
# scope: package
# custom:
#   remedy: Ask a person to add the host to egress.rego.
package modes.policy.egress

# METADATA
# description: Allowed hosts, including their subdomains.
_open := {"github.com", "npmjs.org", "localhost"}

deny contains $"{domain.host} is not on the list of allowed hosts" if {
	some domain in input.domains
	not _is_open(domain)
}

ask contains $"{command.text} reaches the network, and its host is not known before it runs" if {
	some command in input.bash.commands
	command.network
	count(input.domains) == 0
	not command.name in _package_managers
}

# METADATA
# description: Programs that use the registry in their own configuration.
_package_managers := {"npm", "pnpm", "yarn", "pip", "pip3", "git"}

# The labels of api.github.com are api.github.com, github.com and com.
_is_open(domain) if {
	some label in domain.labels
	label in _open
}
