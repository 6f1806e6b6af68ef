package modes.policy.egress_test

import data.modes.policy.egress

test_listed_and_below if {
	every labels in [["github.com", "com"], ["api.github.com", "github.com", "com"], ["localhost"]] {
		count(egress.deny) == 0 with input as _reaching(labels)
	}
}

test_others if {
	every labels in [["evil.com", "com"], ["github.com.evil.com", "com.evil.com", "evil.com", "com"], ["notgithub.com", "com"]] {
		count(egress.deny) == 1 with input as _reaching(labels)
	}
}

test_unknown_host_is_asked if count(egress.ask) == 1 with input as _running("curl", true)

test_package_managers_are_not_asked if count(egress.ask) == 0 with input as _running("npm", true)

test_local_commands_are_not_asked if count(egress.ask) == 0 with input as _running("ls", false)

_reaching(labels) := {"domains": [{"host": labels[0], "labels": labels}]}

_running(name, network) := {"domains": [], "bash": {"commands": [{"name": name, "text": name, "network": network}]}}
