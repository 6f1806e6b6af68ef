package modes_test

_sed(access) := shell_with([classed("writes", "sed -i s/a/b/ x")], {"writes": [by(0, access)]})

# [s:write.narrow]
test_a_write_rule_meets_writes_by_whatever_tool if {
	index := rules([deny(write("/src"))])
	file := path("src/a.ts")
	said(writing(file), index) == ["deny", "rule"]
	said(editing(file), index) == ["deny", "rule"]
	said(_sed(file), index) == ["deny", "rule"]
	said(call("mcp__fs__save", "mcp", {"writes": [file]}), index) == ["deny", "rule"]
	said(reading(file), index) == ["pass", "default"]
}

# [s:bare.write]
test_bare_write_meets_every_write_and_no_read if {
	index := rules([deny(every_write)])
	said(editing(path("a.ts")), index) == ["deny", "rule"]
	said(_sed(path("/scratch/x")), index) == ["deny", "rule"]
	said(reading(path("a.ts")), index) == ["pass", "default"]
	said(shell([command("date")]), index) == ["pass", "default"]
}

test_a_name_below_a_literal_folder_may_not_be_written_at_any_depth_there if {
	index := rules([deny(within("writes", "src", "secret"))])
	said(writing(path("src/a/b/secret/c")), index) == ["deny", "rule"]
	said(writing(path("lib/secret/c")), index) == ["pass", "default"]
}

test_a_pattern_of_writes_is_tried_below_its_folder_and_where_its_text_stands if {
	index := rules([deny(matching("writes", "src", "_gen", "^src/[^/]*_gen\\.ts$"))])
	said(writing(path("src/a_gen.ts")), index) == ["deny", "rule"]
	said(writing(path("src/b/a_gen.ts")), index) == ["pass", "default"]
	said(writing(path("lib/a_gen.ts")), index) == ["pass", "default"]
}

test_the_text_of_a_pattern_guards_its_expression if {
	said(writing(path("src/a.ts")), rules([deny(matching("writes", "src", "_gen", ".*"))])) == ["pass", "default"]
	said(reading(path("src/a.ts")), rules([deny(matching("reads", "src", "_gen", ".*"))])) == ["pass", "default"]
}

# [s:order.bash-write]
test_a_write_by_a_command_needs_an_allow_of_both if {
	file := path("src/a.ts")
	said(_sed(file), rules([allow(bash("sed:*"))])) == ["pass", "default"]
	said(_sed(file), rules([allow(write("/src"))])) == ["pass", "default"]
	said(_sed(file), rules([allow(bash("sed:*")), allow(write("/src"))])) == ["allow", "rule"]
}

test_an_allow_of_all_commands_or_of_the_writing_tool_does_not_cover_a_commands_write if {
	said(_sed(path("src/a.ts")), rules([allow(tool("Bash"))])) == ["pass", "default"]
	said(_sed(path("src/a.ts")), rules([allow(tool("Bash")), allow(tool("Write"))])) == ["pass", "default"]
}

test_an_allow_of_a_servers_tool_does_not_cover_its_declared_writes if {
	facts := call("mcp__fs__save", "mcp", {"writes": [path("src/a.ts")]})
	said(facts, rules([allow(tool("mcp__fs__save"))])) == ["pass", "default"]
	said(facts, rules([allow(tool("mcp__fs__save")), allow(write("/src"))])) == ["allow", "rule"]
}

test_an_allow_of_a_writing_tool_covers_writes_inside_but_not_outside if {
	every rule in [tool("Write"), group("edit")] {
		said(writing(path("src/a.ts")), rules([allow(rule)])) == ["allow", "rule"]
		said(writing(path("/home/a/x")), rules([allow(rule)])) == ["pass", "default"]
	}
	said(writing(path("/home/a/x")), rules([allow(write("//home/a"))])) == ["allow", "rule"]
}

test_an_allow_of_one_writing_tool_does_not_cover_another if {
	said(editing(path("src/a.ts")), rules([allow(tool("Write"))])) == ["pass", "default"]
}

# [s:extent.allow]
test_an_allow_of_a_folder_covers_writing_it_whole if {
	index := rules([allow(bash("rm:*")), allow(write("/src"))])
	said(shell_with([classed("writes", "rm -rf src")], {"writes": [by(0, deep("src", []))]}), index) == ["allow", "rule"]
	said(shell_with([classed("writes", "rm -rf .")], {"writes": [by(0, deep("", []))]}), index) == ["pass", "default"]
}

test_an_allow_of_all_below_a_folder_does_not_cover_the_folder_itself if {
	index := rules([allow(bash("rm:*")), allow(write("/src/**"))])
	said(shell_with([classed("writes", "rm -rf src")], {"writes": [by(0, deep("src", []))]}), index) == ["pass", "default"]
}

test_an_allow_of_all_below_the_root_covers_the_root_whole if {
	facts := shell_with([classed("writes", "git restore .")], {"writes": [by(0, deep("", []))]})
	said(facts, rules([allow(bash("git:*")), allow(write("/**"))])) == ["allow", "rule"]
	said(facts, rules([allow(bash("git:*")), allow(write("/src/**"))])) == ["pass", "default"]
}

# [s:extent.many]
test_what_was_not_looked_at_counts_as_met_by_rules_on_writes if {
	said(writing(unseen("big")), rules([ask(write(".env"))])) == ["ask", "rule"]
	said(writing(deep("big", [])), rules([ask(write(".env"))])) == ["pass", "default"]
	said(writing(unseen("big")), rules([allow(write("/other"))])) == ["pass", "default"]
}

test_a_command_that_may_run_may_write_the_sessions_own_files if {
	facts := shell_with([classed("writes", "tee n")], {"writes": [by(0, own_file("/scratch/s/scratchpad", "n"))]})
	said(facts, rules([allow(bash("tee:*"))])) == ["allow", "rule"]
	said(facts, rules([])) == ["pass", "default"]
}

# [s:extent.unpack]
test_names_that_are_not_known_before_ask_for_what_a_rule_could_mean if {
	facts := _sed(object.union(deep("out", []), {"unnamed": true}))
	said(facts, rules([deny(write("/out/x"))])) == ["ask", "open"]
	said(facts, rules([ask(write("/out/x"))])) == ["ask", "open"]
	said(facts, rules([deny(write("/out/x")), allow(bash("sed:*")), allow(write("/out"))])) == ["ask", "open"]
	said(facts, rules([deny(write("/out"))])) == ["deny", "rule"]
	said(facts, rules([deny(read("/out/x"))])) == ["pass", "default"]
	{hit.on | some hit in answer(facts, rules([deny(write("/out/x"))])).hits} == {"out"}
}

# [s:pattern.scratch]
test_an_allow_of_scratch_files_covers_writes_in_the_temporary_folder if {
	index := with_default(rules([allow(scratch("writes"))]), "project", "deny")
	said(writing(path("/scratch/x")), index) == ["allow", "rule"]
	said(writing(object.union(path("/scratch/x"), {"root": "outside"})), index) == ["deny", "default"]
	said(writing(path("src/a.ts")), index) == ["deny", "default"]
	said(writing(deep("/scratch/x", [])), index) == ["allow", "rule"]
	said(writing(object.union(deep("/scratch/x", []), {"projects": true})), index) == ["deny", "default"]
	said(writing(linked(["link/x", "/scratch/x"])), index) == ["allow", "rule"]
	said(writing(linked(["/scratch/x", "src/a.ts"])), index) == ["deny", "default"]
}
