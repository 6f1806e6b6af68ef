package modes_test

# [s:uncertain.read-outline]
test_a_read_of_which_only_parts_are_known_asks_where_a_rule_could_match if {
	facts := shell_with([command("cat")], {"reads": [by(0, object.union(path("key"), {"unnamed": true, "deep": true, "readings": [[0]], "names": [{"path": "…/key", "keys": []}]}))]})
	said(facts, rules([deny(read("/secret"))])) == ["ask", "open"]
	said(facts, rules([ask(read("/secret")), allow(tool("Bash"))])) == ["ask", "open"]
	said(facts, rules([deny(write("/secret"))])) == ["pass", "default"]
	said(facts, rules([])) == ["pass", "default"]
}

# [s:uncertain.unknown-reads]
test_a_read_that_could_be_of_any_file_is_matched_by_rules_about_these if {
	facts := shell_with([command("cat")], {"reads": [by(0, object.union(path("…"), {"unknown": true, "deep": true, "readings": [[0]], "names": [{"path": "…", "keys": []}]}))]})
	index := object.union(rules([]), {"reads": {"unknown": ["a"]}, "effect": {"a": "ask"}, "layer": {"a": "project"}})
	said(facts, index) == ["ask", "rule"]
	said(reading(path("a.ts")), index) == ["pass", "default"]
	said(facts, rules([])) == ["pass", "default"]
}

# [s:read.narrow]
test_a_read_rule_meets_reads_by_whatever_tool if {
	index := rules([deny(read("/secret"))])
	file := path("secret/key")
	said(reading(file), index) == ["deny", "rule"]
	said(call("Grep", "read", {"reads": [file]}), index) == ["deny", "rule"]
	said(shell_with([command("cat secret/key")], {"reads": [by(0, file)]}), index) == ["deny", "rule"]
	said(call("mcp__fs__load", "mcp", {"reads": [file]}), index) == ["deny", "rule"]
	said(writing(file), index) == ["pass", "default"]
}

# [s:read.edit]
test_an_edit_is_met_by_rules_on_reading_its_file if {
	said(editing(path("secret/key")), rules([deny(read("/secret"))])) == ["deny", "rule"]
	said(editing(path("secret/key")), rules([ask(read("/secret")), allow(write("/secret"))])) == ["ask", "rule"]
}

test_an_edit_needs_no_allow_of_the_read_it_brings if {
	said(editing(path("src/a.ts")), rules([allow(write("/src"))])) == ["allow", "rule"]
}

# [s:read.allow]
test_an_allow_of_reading_does_not_allow_an_edit if {
	said(editing(path("src/a.ts")), rules([allow(read("/src"))])) == ["pass", "default"]
}

# [s:bare.read]
test_bare_read_meets_every_read if {
	said(reading(path("a.ts")), rules([deny(every_read)])) == ["deny", "rule"]
	said(shell_with([command("cat /etc/hosts")], {"reads": [by(0, path("/etc/hosts"))]}), rules([deny(every_read)])) == ["deny", "rule"]
	said(shell([command("date")]), rules([deny(every_read)])) == ["pass", "default"]
}

test_a_name_below_a_literal_folder_is_met_at_any_depth_there_and_only_there if {
	index := rules([deny(within("reads", "src", "secret"))])
	said(reading(path("src/a/b/secret/c")), index) == ["deny", "rule"]
	said(reading(path("lib/secret/c")), index) == ["pass", "default"]
	said(reading(path("src/a/secretly")), index) == ["pass", "default"]
}

test_a_pattern_of_reads_is_tried_below_its_folder_and_where_its_text_stands if {
	index := rules([deny(matching("reads", "src", "_gen", "^src/[^/]*_gen\\.ts$"))])
	said(reading(path("src/a_gen.ts")), index) == ["deny", "rule"]
	said(reading(path("src/b/a_gen.ts")), index) == ["pass", "default"]
	said(reading(path("lib/a_gen.ts")), index) == ["pass", "default"]
	said(reading(path("src/a.ts")), index) == ["pass", "default"]
}

test_an_allow_of_a_pattern_covers_a_read if {
	said(reading(path("src/a_gen.ts")), rules([allow(matching("reads", "src", "_gen", "^src/[^/]*_gen\\.ts$"))])) == ["allow", "rule"]
}

# [s:order.bash-reads]
test_a_command_that_may_run_may_read_inside_the_project_and_the_temporary_folder if {
	index := rules([allow(bash("cat:*"))])
	every name in ["src/a.ts", "/scratch/x"] {
		said(shell_with([command("cat x")], {"reads": [by(0, path(name))]}), index) == ["allow", "rule"]
	}
}

test_a_command_that_may_run_may_not_read_outside if {
	facts := shell_with([command("cat x")], {"reads": [by(0, path("/etc/hosts"))]})
	said(facts, rules([allow(bash("cat:*"))])) == ["pass", "default"]
	said(facts, rules([allow(tool("Bash"))])) == ["pass", "default"]
	said(facts, rules([allow(bash("cat:*")), allow(read("//etc"))])) == ["allow", "rule"]
}

# [s:order.bash-reads]
test_where_a_read_lies_is_judged_by_the_real_path if {
	facts := shell_with([command("cat link")], {"reads": [by(0, linked(["link", "/etc/hosts"]))]})
	said(facts, rules([allow(bash("cat:*"))])) == ["pass", "default"]
}

test_a_command_that_may_run_may_read_the_sessions_own_files if {
	facts := shell_with([command("cat o")], {"reads": [by(0, own_file("/home/a/tasks", "o"))]})
	said(facts, rules([allow(bash("cat:*"))])) == ["allow", "rule"]
}

test_an_allow_of_a_read_does_not_let_a_command_run if {
	facts := shell_with([command("cat src/a.ts")], {"reads": [by(0, path("src/a.ts"))]})
	said(facts, rules([allow(read("/**"))])) == ["pass", "default"]
}

test_an_allow_of_a_servers_tool_covers_its_declared_reads_inside_but_not_outside if {
	index := rules([allow(tool("mcp__fs__load"))])
	said(call("mcp__fs__load", "mcp", {"reads": [path("a.ts")]}), index) == ["allow", "rule"]
	said(call("mcp__fs__load", "mcp", {"reads": [path("/etc/hosts")]}), index) == ["pass", "default"]
}

test_an_allow_of_a_reading_tool_covers_what_it_reads if {
	said(reading(path("/etc/hosts")), rules([allow(tool("Read"))])) == ["allow", "rule"]
	said(reading(path("/etc/hosts")), rules([allow(group("read"))])) == ["allow", "rule"]
}

test_an_allow_of_all_below_covers_reading_the_folder_whole if {
	index := rules([allow(read("/src/**"))])
	said(reading(deep("src", [])), index) == ["allow", "rule"]
	said(reading(deep("src/lib", [])), index) == ["allow", "rule"]
	said(reading(deep("", [])), index) == ["pass", "default"]
	said(reading(path("src")), index) == ["pass", "default"]
}

test_an_allow_of_all_below_has_to_cover_every_reading_of_a_folder if {
	tree := object.union(linked(["src", "lib"]), {"deep": true})
	said(reading(tree), rules([allow(read("/src/**"))])) == ["pass", "default"]
	said(reading(tree), rules([allow(read("/src/**")), allow(read("/lib/**"))])) == ["allow", "rule"]
}

test_a_weak_allow_of_all_below_does_not_lift_a_strong_default if {
	index := with_default(rules([allow(read("/src/**"))]), "user", "deny")
	said(reading(deep("src", [])), index) == ["deny", "default"]
}

# [s:paths.link-made]
test_a_folder_that_gets_another_name_asks_for_what_a_rule_could_mean_below_it if {
	facts := reading(object.union(deep("out", []), {"unnamed": true}))
	said(facts, rules([deny(read("/out/x"))])) == ["ask", "open"]
	said(facts, rules([deny(read("/out/x")), allow(read("/out/**"))])) == ["ask", "open"]
	said(facts, rules([deny(read("/out"))])) == ["deny", "rule"]
	said(facts, rules([deny(write("/out/x"))])) == ["pass", "default"]
	{hit.on | some hit in answer(facts, rules([deny(read("/out/x"))])).hits} == {"out"}
}

# [s:extent.many]
test_what_was_not_looked_at_counts_as_met_by_rules_on_reads if {
	said(reading(unseen("big")), rules([deny(read(".env"))])) == ["deny", "rule"]
	said(reading(deep("big", [])), rules([deny(read(".env"))])) == ["pass", "default"]
	said(reading(unseen("big")), rules([deny(write(".env"))])) == ["pass", "default"]
}

# [s:pattern.scratch]
test_an_allow_of_scratch_files_covers_reads_in_the_temporary_folder if {
	index := with_default(rules([allow(scratch("reads"))]), "project", "deny")
	said(reading(path("/scratch/x")), index) == ["allow", "rule"]
	said(reading(object.union(path("/scratch/x"), {"root": "outside"})), index) == ["deny", "default"]
	said(reading(path("src/a.ts")), index) == ["deny", "default"]
	said(reading(deep("/scratch/x", [])), index) == ["allow", "rule"]
	said(reading(object.union(deep("/scratch/x", []), {"projects": true})), index) == ["deny", "default"]
	said(reading(linked(["link/x", "/scratch/x"])), index) == ["allow", "rule"]
	said(reading(linked(["/scratch/x", "src/a.ts"])), index) == ["deny", "default"]
}
