package modes_test

# METADATA
# description: An index that denies every write except to some files.
_only(tables) := object.union(rules([]), {
	"effect": {"only": "deny"},
	"layer": {"only": "project"},
	"guards_writes": 1,
	"outside": [object.union({"id": "only"}, tables)],
})

_in_test := _only({"keys": {"<test": ["only"]}})

test_a_write_outside_of_the_files_is_met_by_whatever_tool if {
	file := path("src/a.ts")
	every facts in [writing(file), editing(file), call("mcp__fs__save", "mcp", {"writes": [file]})] {
		said(facts, _in_test) == ["deny", "rule"]
	}
	said(shell_with([classed("writes", "tee src/a.ts")], {"writes": [by(0, file)]}), _in_test) == ["deny", "rule"]
	said(writing(path("/elsewhere/x")), _in_test) == ["deny", "rule"]
}

# [s:protect.scratch-files]
test_the_temporary_folder_is_not_meant if {
	scratch := object.union(path("/scratch/x"), {"root": "temp"})
	said(writing(scratch), _in_test) == ["pass", "default"]
	said(writing(object.union(scratch, {"root": "outside"})), _in_test)[0] == "deny"
}

test_a_write_of_the_files_and_a_read_of_others_are_not_met if {
	said(writing(path("test/a.ts")), _in_test) == ["pass", "default"]
	said(reading(path("src/a.ts")), _in_test) == ["pass", "default"]
}

test_a_link_that_leads_out_of_the_files_is_outside if {
	said(writing(linked(["test/a.ts", "src/a.ts"])), _in_test) == ["deny", "rule"]
	said(writing(linked(["test/a.ts", "test/b.ts"])), _in_test) == ["pass", "default"]
}

test_a_folder_that_is_not_whole_among_the_files_is_outside if {
	said(writing(deep("", ["test/a.ts"])), _in_test) == ["deny", "rule"]
	said(writing(deep("test/unit", ["test/unit/a.ts"])), _in_test) == ["pass", "default"]
	said(writing(deep("", [])), _only({"keys": {"<": ["only"]}})) == ["pass", "default"]
}

test_the_files_may_be_said_by_folder_and_name_and_by_pattern if {
	within_src := _only({"within": {"<src": {".test.ts": ["only"]}}})
	said(writing(path("src/a.test.ts")), within_src) == ["pass", "default"]
	said(writing(path("lib/a.test.ts")), within_src) == ["deny", "rule"]
	guarded := _only({"guarded": {"<src": [{"id": "only", "has": "_gen", "expression": "^src/[^/]*_gen\\.ts$"}]}})
	said(writing(path("src/a_gen.ts")), guarded) == ["pass", "default"]
	said(writing(path("src/a.ts")), guarded) == ["deny", "rule"]
}

test_an_expression_is_looked_for_in_a_relative_path_and_in_no_folder if {
	index := _only({"expressions": ["\\.md$", "^docs/"]})
	said(writing(path("a.md")), index) == ["pass", "default"]
	said(writing(path("a.md.ts")), index) == ["deny", "rule"]
	said(writing(path("/elsewhere/a.md")), index) == ["deny", "rule"]
	said(writing(deep("docs/a", [])), index) == ["deny", "rule"]
}

test_an_expression_that_cannot_be_read_leaves_every_write_outside if {
	said(writing(path("a.md")), _only({"expressions": ["(md"]})) == ["deny", "rule"]
}

test_the_sessions_own_files_are_not_meant if {
	said(writing(own_file("/h/plans", "a.md")), _in_test) == ["pass", "default"]
}

test_what_may_write_anywhere_asks_under_such_a_rule if {
	said(shell([classed("runs", "make")]), _in_test) == ["ask", "uncertainty"]
}
