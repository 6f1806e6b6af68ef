package modes_test

test_a_rule_on_a_folder_meets_what_lies_below_and_no_neighbour if {
	index := rules([deny(write("/src/lib"))])
	said(writing(path("src/lib/deep/a.ts")), index) == ["deny", "rule"]
	said(writing(path("src/lib")), index) == ["deny", "rule"]
	said(writing(path("src/library/a.ts")), index) == ["pass", "default"]
	said(writing(path("x/src/lib/a.ts")), index) == ["pass", "default"]
}

test_a_name_alone_meets_a_component_at_any_depth if {
	index := rules([deny(write(".env")), deny(write("*.pem"))])
	said(writing(path("a/b/.env")), index) == ["deny", "rule"]
	said(writing(path("a/.env/b")), index) == ["deny", "rule"]
	said(writing(path("a/key.pem")), index) == ["deny", "rule"]
	said(writing(path("a/.envrc")), index) == ["pass", "default"]
}

test_a_name_with_all_below_does_not_meet_a_file_of_that_name if {
	index := rules([deny(write("build/**"))])
	said(writing(path("a/build/x")), index) == ["deny", "rule"]
	said(writing(path("a/build")), index) == ["pass", "default"]
}

# [s:pattern.inside]
test_relative_patterns_do_not_meet_paths_outside if {
	index := rules([deny(read("hosts")), deny(read("*.pem"))])
	said(reading(path("/etc/hosts")), index) == ["pass", "default"]
	said(reading(path("/etc/a.pem")), index) == ["pass", "default"]
}

# [s:pattern.absolute]
test_absolute_patterns_meet_paths_inside_and_outside if {
	said(reading(path("/etc/hosts")), rules([deny(read("//etc"))])) == ["deny", "rule"]
	said(reading(path("src/a.ts")), rules([deny(read("//p/src"))])) == ["deny", "rule"]
}

# [s:paths.narrow-all]
test_deny_and_ask_are_met_by_any_reading_of_a_path if {
	link := linked(["link", "secret/real"])
	said(writing(link), rules([deny(write("/link"))])) == ["deny", "rule"]
	said(writing(link), rules([deny(write("/secret"))])) == ["deny", "rule"]
	said(writing(link), rules([ask(write("/secret"))])) == ["ask", "rule"]
}

# [s:pattern.except]
test_an_exception_exempts_one_name_of_a_path if {
	rule := deny(read("*.pem"))
	index := object.union(rules([rule]), {"except": {rule.id: `(?s)^fixtures\/.+$`}})
	said(reading(path("fixtures/a.pem")), index) == ["pass", "default"]
	said(reading(path("deploy/a.pem")), index) == ["deny", "rule"]
	said(reading(linked(["fixtures/a.pem", "deploy/a.pem"])), index) == ["deny", "rule"]
	said(reading(deep("fixtures", ["fixtures/a.pem"])), index) == ["pass", "default"]
	said(reading(deep("", ["fixtures/a.pem", "deploy/a.pem"])), index) == ["deny", "rule"]
}

# [s:paths.allow-all]
test_an_allow_needs_every_reading_of_a_path if {
	link := linked(["link", "lib/real"])
	said(writing(link), rules([allow(write("/link"))])) == ["pass", "default"]
	said(writing(link), rules([allow(write("/lib"))])) == ["pass", "default"]
	said(writing(link), rules([allow(write("/lib")), allow(write("/link"))])) == ["allow", "rule"]
}

# [s:pattern.case]
test_deny_and_ask_hit_a_name_in_another_case_and_an_allow_does_not if {
	other := linked(["SRC/a.ts", "src/a.ts"])
	folded := object.union(other, {"readings": [other.readings[0]]})
	said(writing(folded), rules([deny(write("/src"))])) == ["deny", "rule"]
	said(writing(folded), rules([ask(write("/src"))])) == ["ask", "rule"]
	said(writing(folded), rules([allow(write("/src"))])) == ["pass", "default"]
	count(met(writing(folded), rules([allow(write("/src"))]))) == 0
}

test_an_allow_needs_only_one_name_of_a_reading if {
	said(writing(path("src/a.ts")), rules([allow(write("/src"))])) == ["allow", "rule"]
	said(writing(path("src/a.ts")), rules([allow(write("//p/src"))])) == ["allow", "rule"]
}

test_an_allow_of_the_folder_does_not_cover_a_deeper_link_that_leads_out if {
	index := rules([allow(read("/src"))])
	said(reading(linked(["src/deep/link", "/etc/passwd"])), index) == ["pass", "default"]
	said(reading(path("src/deep/link")), index) == ["allow", "rule"]
}

# [s:extent.narrow]
test_deny_and_ask_are_met_by_what_exists_below_an_extent if {
	tree := deep("packages", ["packages/a/.env"])
	said(writing(tree), rules([deny(write(".env"))])) == ["deny", "rule"]
	said(writing(deep("packages", [])), rules([deny(write(".env"))])) == ["pass", "default"]
	said(writing(path("packages")), rules([deny(write(".env"))])) == ["pass", "default"]
}

test_a_hit_below_an_extent_names_what_lies_there if {
	found := answer(reading(deep("packages", ["packages/a/.env"])), rules([deny(read(".env"))]))
	{hit.on | some hit in found.hits} == {"packages/a/.env"}
}

# [s:extent.allow]
test_an_allow_of_what_exists_below_does_not_cover_an_extent if {
	tree := deep("packages", ["packages/a"])
	said(reading(tree), rules([allow(read("/packages/a"))])) == ["pass", "default"]
	met(reading(tree), rules([allow(read("/packages/a"))])) == set()
}

# [s:own-files.rules]
test_the_sessions_own_files_are_met_only_by_a_rule_that_names_their_folder if {
	file := own_file("/home/a/plans", "p.md")
	said(writing(file), rules([deny(every_write)])) == ["pass", "default"]
	said(writing(file), rules([deny(group("edit"))])) == ["pass", "default"]
	said(writing(file), rules([deny(write("//home"))])) == ["pass", "default"]
	said(writing(file), rules([deny(write("//home/a/plans"))])) == ["deny", "rule"]
	said(writing(file), rules([deny(write("//home/a/plans/p.md"))])) == ["deny", "rule"]
}

test_a_folder_with_a_longer_name_does_not_name_the_sessions_own if {
	file := own_file("/home/a/plans", "p.md")
	index := rules([object.union(deny(write("//home/a")), {"bases": ["/home/a/plans-old"]})])
	said(writing(file), index) == ["pass", "default"]
}

test_an_allow_that_names_their_folder_covers_the_sessions_own_files if {
	file := own_file("/home/a/plans", "p.md")
	said(writing(file), rules([allow(write("//home/a/plans"))])) == ["allow", "rule"]
}

# [s:extent.dependency]
test_removing_a_dependency_folder_meets_no_name_at_any_depth if {
	gone := shell_with([classed("writes", "rm -rf node_modules")], {"writes": [by(0, dependency("node_modules"))]})
	said(gone, rules([deny(write("node_modules"))])) == ["pass", "default"]
	said(gone, rules([deny(write("/node_modules"))])) == ["deny", "rule"]
	said(gone, rules([deny(every_write)])) == ["deny", "rule"]
}

test_removing_a_dependency_folder_is_allowed_by_its_name if {
	gone := shell_with([classed("writes", "rm -rf node_modules")], {"writes": [by(0, dependency("node_modules"))]})
	said(gone, rules([allow(bash("rm:*")), allow(write("node_modules"))])) == ["allow", "rule"]
}

test_a_write_into_a_dependency_folder_meets_names_at_any_depth if {
	said(writing(path("node_modules/a.js")), rules([deny(write("node_modules"))])) == ["deny", "rule"]
}

test_a_rule_held_to_one_tool_counts_in_its_calls_alone if {
	index := rules([held_to("mcp__fs__save", deny(write("/src")))])
	saving := object.union(call("mcp__fs__save", "mcp", {}), {"writes": [path("src/a.ts")]})
	said(saving, index) == ["deny", "rule"]
	said(writing(path("src/a.ts")), index) == ["pass", "default"]
}

# [s:order.specific]
test_deny_and_ask_beat_an_allow_however_specific if {
	said(writing(path("src/a.ts")), rules([deny(every_write), allow(write("/src/a.ts"))])) == ["deny", "rule"]
	said(writing(path("src/a.ts")), rules([ask(every_write), allow(write("/src/a.ts"))])) == ["ask", "rule"]
	said(writing(path("src/a.ts")), rules([ask(write("/src/a.ts")), deny(every_write)])) == ["deny", "rule"]
}

# [s:order.every-access]
test_every_access_of_a_call_has_to_be_allowed if {
	facts := call("Write", "edit", {"writes": [path("src/a.ts"), path("lib/b.ts")]})
	said(facts, rules([allow(write("/src"))])) == ["pass", "default"]
	said(facts, rules([allow(write("/src")), allow(write("/lib"))])) == ["allow", "rule"]
}

test_every_rule_that_met_is_shown_whatever_the_verdict if {
	index := rules([deny(write("/src")), ask(write("*.ts")), allow(write("src/a.ts")), deny(write("/lib"))])
	met(writing(path("src/a.ts")), index) == {"deny Write(/src)", "ask Write(*.ts)", "allow Write(src/a.ts)"}
}

test_a_hit_says_what_was_met_and_how if {
	access := object.union(path("src/a.ts"), {"via": "sed -i"})
	writes := shell_with([command("sed -i x a")], {"writes": [by(0, access)]})
	answer(writes, rules([deny(write("/src"))])).hits == {{"id": "deny Write(/src)", "on": "src/a.ts", "command": 0, "via": "sed -i"}}
}
