package modes_test

test_a_rule_on_a_host_meets_that_host_alone if {
	index := rules([deny(domain("github.com"))])
	said(fetching("github.com"), index) == ["deny", "rule"]
	said(fetching("api.github.com"), index) == ["pass", "default"]
}

# [s:domain.labels]
test_a_rule_on_hosts_below_goes_by_labels if {
	index := rules([deny(domain("*.github.com"))])
	said(fetching("api.github.com"), index) == ["deny", "rule"]
	said(fetching("a.b.github.com"), index) == ["deny", "rule"]
	said(fetching("evilgithub.com"), index) == ["pass", "default"]
	said(fetching("github.com"), index) == ["pass", "default"]
	said(fetching("github.com.evil.org"), index) == ["pass", "default"]
}

test_a_rule_on_every_host_meets_every_host_and_nothing_else if {
	said(fetching("x.org"), rules([ask(domain("*"))])) == ["ask", "rule"]
	said(shell([command("date")]), rules([ask(domain("*"))])) == ["pass", "default"]
}

# [s:domain.commands]
test_a_rule_on_a_host_meets_a_command_that_reaches_for_it if {
	facts := shell_with([networked("curl https://x.org")], {"domains": [domain_of("x.org")]})
	said(facts, rules([deny(domain("x.org")), allow(tool("Bash"))])) == ["deny", "rule"]
}

# [s:order.bash-hosts]
test_a_command_that_may_run_may_reach_its_hosts if {
	facts := shell_with([networked("curl https://x.org")], {"domains": [domain_of("x.org")]})
	said(facts, rules([allow(bash("curl:*"))])) == ["allow", "rule"]
}

test_an_allow_of_a_host_does_not_let_a_command_run if {
	facts := shell_with([networked("curl https://x.org")], {"domains": [domain_of("x.org")]})
	said(facts, rules([allow(domain("x.org"))])) == ["pass", "default"]
}

test_a_fetch_is_allowed_by_its_host_or_by_name if {
	every rule in [domain("x.org"), domain("*"), tool("WebFetch"), group("web")] {
		said(fetching("x.org"), rules([allow(rule)])) == ["allow", "rule"]
	}
	said(fetching("x.org"), rules([allow(domain("y.org"))])) == ["pass", "default"]
}

test_every_host_of_a_call_has_to_be_allowed if {
	facts := call("WebFetch", "web", {"domains": [domain_of("x.org"), domain_of("y.org")]})
	said(facts, rules([allow(domain("x.org"))])) == ["pass", "default"]
	said(facts, rules([allow(domain("x.org")), allow(domain("y.org"))])) == ["allow", "rule"]
}

test_a_weak_allow_of_a_host_does_not_lift_a_strong_default if {
	said(fetching("x.org"), with_default(rules([allow(domain("x.org"))]), "user", "deny")) == ["deny", "default"]
}

test_an_allow_of_a_host_covers_no_other_tool_that_reaches_for_it if {
	facts := call("mcp__web__get", "mcp", {"domains": [domain_of("x.org")]})
	said(facts, rules([allow(domain("x.org"))])) == ["pass", "default"]
}
