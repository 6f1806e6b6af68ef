# Helpers that make the calls and rules of tests. Only this file knows how paths, commands and rules are split into keys.
package modes_test

# METADATA
# description: The result of the policy for a call under these rules.
answer(facts, index) := found if {
	found := data.modes.verdict with input as facts with data.rules as index
}

# METADATA
# description: The verdict, and the step of the order that gave it.
said(facts, index) := [found.verdict, found.by] if found := answer(facts, index)

# METADATA
# description: The same with decisions of custom policies.
said_with(facts, index, decisions) := [found.verdict, found.by] if found := answer_with(facts, index, decisions)

answer_with(facts, index, decisions) := found if {
	found := data.modes.verdict with input as facts
		with data.rules as index
		with data.modes.custom.decisions as decisions
}

# METADATA
# description: The rules that matched a call.
met(facts, index) := {hit.id | some hit in answer(facts, index).hits}

# METADATA
# description: A decision of a custom policy.
decided(effect, value) := {"name": "own", "effect": effect, "value": value, "file": "own.rego", "line": 7}

# Keys of paths.

_project := "/p"

_whole(path) := concat("", ["=", path])

_under(folder) := concat("", ["<", folder])

_part(name) := concat("", ["/", name])

_folder(name) := concat("", [">", name])

# METADATA
# description: A name with its keys. Only a relative name has keys by component.
_name(path) := {"path": path, "keys": array.concat([_whole(path)], [key | some key in _place_keys(path)])}

_place_keys("") := set()

_place_keys(path) := {_under(folder) | some folder in _ancestors(path)} if {
	startswith(path, "/")
} else := {_under(folder) | some folder in _ancestors(path)} | _component_keys(split(path, "/")) if {
	path != ""
}

_ancestors(path) := {_before(path, parts, at) | some at in numbers.range(0, count(parts) - 1)} if parts := split(path, "/")

_before(path, parts, at) := "/" if {
	startswith(path, "/")
	at < 2
} else := concat("/", array.slice(parts, 0, at))

_component_keys(parts) := union({
	{_part(part) | some part in parts},
	{_folder(part) | some part in array.slice(parts, 0, count(parts) - 1)},
	{_suffix(pieces, at) | some part in parts; pieces := split(part, "."); some at in numbers.range(1, count(pieces)); at < count(pieces)},
})

_suffix(pieces, at) := concat("", [".", concat(".", array.slice(pieces, at, count(pieces)))])

# METADATA
# description: Every name of a path, relative first.
_names(path) := [_name(path)] if {
	startswith(path, "/")
} else := [_name(path), _name(_project)] if {
	path == ""
} else := [_name(path), _name(concat("/", [_project, path]))]

# Accesses.

# METADATA
# description: >-
#   One path: in the project if it is relative, else outside.
path(name) := linked([name])

# METADATA
# description: A path with all its spellings, the real one last.
linked(spellings) := {
	"path": _shown(spellings[0]),
	"real": real,
	"root": _root_of(real),
	"deep": false,
	"names": [name | some spelling in spellings; some name in _names(spelling)],
	"readings": _readings(spellings),
	"below": [],
	"via": "",
	"command": null,
	"protection": null,
	"implied": false,
	"own": null,
	"dependency": false,
} if {
	real := spellings[count(spellings) - 1]
}

_shown("") := "."

_shown(name) := name if name != ""

_root_of(real) := "temp" if {
	startswith(real, "/scratch/")
} else := "outside" if {
	startswith(real, "/")
} else := "project"

_readings(spellings) := [numbers.range(first, (first + count(_names(spelling))) - 1) |
	some at, spelling in spellings
	first := count([name | some before in array.slice(spellings, 0, at); some name in _names(before)])
]

# METADATA
# description: A path with everything below it, and the existing paths below it.
deep(name, below) := object.union(path(name), {"deep": true, "below": [one | some each in below; some one in _names(each)]})

# METADATA
# description: A folder with more entries below it than were checked.
unseen(name) := object.union(deep(name, []), {"unseen": true})

# METADATA
# description: A dependency folder that is removed whole.
dependency(name) := object.union(deep(name, []), {"dependency": true})

# METADATA
# description: One of the session's own files, in this folder.
own_file(folder, name) := object.union(path(concat("/", [folder, name])), {"own": folder})

# METADATA
# description: A read that comes with a write.
implied(access) := object.union(access, {"implied": true})

# METADATA
# description: The access of a command, by the index of the command.
by(command, access) := object.union(access, {"command": command})

# METADATA
# description: A write that a built-in protection matches.
protected(effect, access) := object.union(access, {"protection": {"effect": effect, "name": "a protected path", "remedy": "leave it"}})

# Calls.

# METADATA
# description: A call of a tool, with its accesses.
call(name, group, parts) := object.union(
	{
		"version": 1,
		"mode": "build",
		"event": "PreToolUse",
		"tool": {"name": name, "group": group, "server": null, "input": {}, "params": {}, "extra": [], "known": true, "keys": _tool_keys(name)},
		"reads": [],
		"writes": [],
		"may_write_anywhere": null,
		"bash": null,
		"domains": [],
		"agents": [],
		"skills": [],
		"protections": [],
		"agent": {"id": null, "type": null},
		"session": {"id": "s", "permission_mode": "default"},
		"state": {"since": null, "entered_by": null, "plan": null, "task": null},
		"context": {"used_percent": null},
	},
	parts,
)

_tool_keys(name) := [name, concat("__", ["mcp", split(name, "__")[1]])] if {
	startswith(name, "mcp__")
} else := [name]

# METADATA
# description: The Read tool.
reading(access) := call("Read", "read", {"reads": [access]})

# METADATA
# description: The Write tool.
writing(access) := call("Write", "edit", {"writes": [access]})

# METADATA
# description: The Edit tool, which reads what it edits.
editing(access) := call("Edit", "edit", {"writes": [access], "reads": [implied(access)]})

# METADATA
# description: The WebFetch tool.
fetching(host) := call("WebFetch", "web", {"domains": [domain_of(host)]})

domain_of(host) := {"host": host, "labels": [concat(".", array.slice(labels, at, count(labels))) | some at, _ in labels]} if labels := split(host, ".")

# METADATA
# description: A tool of an MCP server. Its writes are unknown unless its arguments are declared.
asking_server(name) := call(name, "mcp", {"may_write_anywhere": [uncertain_tool(name)]})

uncertain_tool(name) := {"kind": "tool", "command": null, "name": name, "class": "unknown", "why": "not declared"}

# METADATA
# description: One of Modes' own tools, with its entry in the table.
asking_us(name, effect) := call(concat("", ["mcp__plugin_modes_modes__", name]), "own", {"protections": [guard(effect)]})

guard(effect) := {"effect": effect, "name": "a guard", "reason": "it is guarded", "remedy": "leave it"}

# METADATA
# description: A call with a parameter that an allow does not cover.
extra(facts) := object.union(facts, {"tool": {"extra": ["isolation"]}})

# METADATA
# description: A call with a parameter.
giving(facts, name, value) := object.union(facts, {"tool": {"params": {name: value}}})

# METADATA
# description: The Bash tool with simple commands. Commands of the classes runs and unknown may write anywhere.
shell(commands) := shell_with(commands, {})

# METADATA
# description: The same with the accesses of its commands.
shell_with(commands, parts) := call("Bash", "command", object.union(
	{"bash": {"class": "unknown", "network": false, "commands": commands}, "may_write_anywhere": _uncertain(commands)},
	parts,
))

_uncertain(commands) := null if {
	not _some_uncertain(commands)
} else := [part |
	some at, command in commands
	command.class in {"runs", "unknown"}
	part := {"kind": "command", "command": at, "name": command.name, "class": command.class, "why": "it runs code"}
]

_some_uncertain(commands) if {
	some command in commands
	command.class in {"runs", "unknown"}
}

# METADATA
# description: A simple command that only reads. The value of a word that begins with $ is unknown.
command(text) := _command([text], "read-only", true, false)

# METADATA
# description: A command of another class.
classed(class, text) := _command([text], class, true, false)

# METADATA
# description: A command within another, or within a substitution.
nested(text) := _command([text], "read-only", false, false)

# METADATA
# description: A command that uses the network.
networked(text) := _command([text], "read-only", true, true)

# METADATA
# description: A command with other spellings, which deny and ask rules also match.
spelled(spellings) := _command(spellings, "read-only", true, false)

_command(spellings, class, top, network) := {
	"name": name,
	"argv": [_value(word) | some word in words],
	"text": text,
	"spellings": spellings,
	"keys": [key | some key in union({_text_keys(spellings), {_class(class), "*"}, {_class("network") | network}})],
	"allow_keys": [key | some key in union({
		_text_keys([text | top; name != ""]),
		{_class(_class_to_allow(class, network)), "*"},
	})],
	"open_prefixes": [prefix | some prefix in _open_prefixes(words)],
	"top": top,
	"class": class,
	"network": network,
	"why": [],
} if {
	text := spellings[0]
	words := split(text, " ")
	name := object.get({"$": ""}, substring(words[0], 0, 1), words[0])
}

_value(word) := null if {
	startswith(word, "$")
} else := word

_class(name) := concat("", ["@", name])

_class_to_allow(class, network) := "network" if {
	network
	class in {"read-only", "writes"}
} else := class

_text_keys(texts) := {_exactly(text) | some text in texts} | {_beginning(prefix) | some text in texts; some prefix in _prefixes(split(text, " "))}

_exactly(text) := concat("", ["=", text])

_beginning(words) := concat("", [">", words])

_prefixes(words) := {concat(" ", array.slice(words, 0, length)) | some length in numbers.range(1, count(words))}

_open_prefixes(words) := {concat(" ", array.slice(words, 0, first)) | some first in [min([at | some at, word in words; startswith(word, "$")])]}

# Rules. Each has a text, its tables, and its properties.

# METADATA
# description: Effects and layers.
deny(rule) := object.union(rule, {"effect": "deny", "layer": "project", "id": concat(" ", ["deny", rule.text])})

ask(rule) := object.union(rule, {"effect": "ask", "layer": "project", "id": concat(" ", ["ask", rule.text])})

allow(rule) := object.union(rule, {"effect": "allow", "layer": "project", "id": concat(" ", ["allow", rule.text])})

from(layer, rule) := object.union(rule, {"layer": layer, "id": concat(" ", [layer, rule.id])})

_rule(text, entries, traits) := object.union({"text": text, "entries": entries, "naming": false, "guards": false}, traits)

_call_of(name, argument) := concat("", [name, "(", argument, ")"])

# METADATA
# description: >-
#   Rules on paths: `//abs`, `/rooted`, `a/b`, `*.ext`, a name at any depth; each also with `/**` after it for everything below.
read(pattern) := _path_rule("reads", "Read", pattern)

write(pattern) := object.union(_path_rule("writes", "Write", pattern), {"guards": true})

_path_rule(access, name, pattern) := _rule(
	_call_of(name, pattern),
	array.concat([{"at": [access, "keys", key]} | some key in _pattern_keys(pattern)], [{"at": [access, "sample"], "narrow": true}]),
	{"loose": not_rooted, "bases": [base | startswith(pattern, "//"); base := substring(trim_suffix(pattern, "/**"), 1, -1)]},
) if {
	not_rooted := startswith(pattern, "/") == false
}

_pattern_keys(pattern) := {_under("")} if {
	pattern == "/**"
} else := {_under(substring(trim_suffix(pattern, "/**"), _lead(pattern), -1))} if {
	endswith(pattern, "/**")
	contains(trim_suffix(pattern, "/**"), "/")
} else := {_folder(trim_suffix(pattern, "/**"))} if {
	endswith(pattern, "/**")
} else := {trim_prefix(pattern, "*")} if {
	startswith(pattern, "*.")
} else := {_whole(literal), _under(literal)} if {
	contains(pattern, "/")
	literal := substring(pattern, _lead(pattern), -1)
} else := {_part(pattern)}

# The leading slashes that are not part of the name. An absolute name keeps its own.
_lead(pattern) := 1 if {
	startswith(pattern, "/")
} else := 0

# METADATA
# description: A component anywhere below a literal folder, as in `Write(src/**/secret)`.
within(access, folder, component) := _rule(
	concat("", [access, " ", folder, "/**/", component]),
	[{"at": [access, "within", _under(folder), _part(component)]}],
	{"guards": access == "writes"},
)

# METADATA
# description: A pattern of paths that cannot be looked up by a key alone.
matching(access, folder, has, expression) := _rule(
	concat(" ", [access, expression]),
	[{"at": [access, "guarded", _under(folder)], "guard": {"has": has, "expression": expression}}],
	{"guards": access == "writes"},
)

# METADATA
# description: >-
#   Bare names: every read and every write, by any tool.
every_read := _rule("Read", [{"at": ["reads", "every"]}, {"at": ["tools", "exact", "Read"]}], {})

every_write := _rule("Write", [{"at": ["writes", "every"]}, {"at": ["tools", "exact", "Write"]}], {"guards": true})

# METADATA
# description: The files of the temporary folder.
scratch(access) := _rule(concat(" ", [access, "scratch"]), [{"at": [access, "scratch"]}], {})

# METADATA
# description: A rule that applies only to calls of one tool.
held_to(tool_key, rule) := object.union(rule, {"only": tool_key, "guards": false})

# METADATA
# description: Rules on commands. A colon and a star after the words match more words.
bash(form) := _rule(
	_call_of("Bash", form),
	array.concat(
		[{"at": ["commands", "keys", _form_key(form)]}],
		[{"at": ["commands", "open", prefix], "narrow": true} | some prefix in ({""} | (_prefixes(words) - {concat(" ", words)}))],
	),
	{"naming": true},
) if {
	words := split(trim_suffix(form, ":*"), " ")
}

_form_key(form) := _beginning(trim_suffix(form, ":*")) if {
	endswith(form, ":*")
} else := _exactly(form)

# METADATA
# description: A pattern of commands that cannot be looked up by a key alone. Its head is the text before the first star.
bash_like(word_key, head, expression) := _rule(
	_call_of("Bash", expression),
	[
		{"at": ["commands", "guarded", word_key], "guard": {"head": head, "expression": expression}},
		{"at": ["commands", "open", ""], "narrow": true},
	],
	{"naming": word_key != "*"},
)

beginning(word) := _beginning(word)

bash_class(name) := _rule(
	_call_of("Bash", _class(name)),
	[{"at": ["commands", "keys", _class(name)]}],
	{"naming": name in {"runs", "unknown"}, "guards": name == "writes"},
)

# METADATA
# description: Rules on tools by name, by server, by pattern and by group. A rule for Bash also applies to Monitor.
tool(name) := _rule(
	name,
	array.concat(
		[{"at": ["tools", "exact", key]} | some key in object.get({"Bash": ["Bash", "Monitor"]}, name, [name])],
		[{"at": ["commands", "keys", "*"]} | name == "Bash"],
	),
	{"naming": name != "Bash"},
)

server(name) := _rule(name, [{"at": ["tools", "exact", name]}], {"naming": true})

tools_like(table_key, head, expression) := _rule(
	concat("", [head, "*"]),
	[{"at": ["tools", "guarded", table_key], "guard": {"head": head, "expression": expression}}],
	{"naming": startswith(table_key, "mcp__")},
)

group(name) := _rule(concat("", ["@", name]), [{"at": ["tools", "group", name]}], {})

agent(name) := _rule(_call_of("Agent", name), [{"at": ["agents", "exact", name]}], {"naming": true})

agents_like(head) := _rule(_call_of("Agent", head), [{"at": ["agents", "guarded", "*"], "guard": {"head": head, "expression": ""}}], {"naming": true})

skill(name) := _rule(_call_of("Skill", name), [{"at": ["skills", "exact", name]}], {"naming": true})

skills_like(head) := _rule(_call_of("Skill", head), [{"at": ["skills", "guarded", "*"], "guard": {"head": head, "expression": ""}}], {})

# METADATA
# description: >-
#   Rules on hosts: `*` for all, `*.x` for hosts below x.
domain(form) := _rule(_call_of("WebFetch", form), [{"at": at}], {}) if {
	at := _domain_table(form)
}

_domain_table("*") := ["domains", "any"]

_domain_table(form) := ["domains", "below", substring(form, 2, -1)] if startswith(form, "*.")

_domain_table(form) := ["domains", "exact", form] if not startswith(form, "*")

param(tool_key, name, value) := _rule(
	_call_of(tool_key, concat(":", [name, value])),
	[{"at": ["params", tool_key, name, "exact", value]}],
	{},
)

params_like(tool_key, name, head) := _rule(
	_call_of(tool_key, concat(":", [name, head])),
	[{"at": ["params", tool_key, name, "guarded"], "guard": {"head": head, "expression": ""}}],
	{},
)

# Index data.

# METADATA
# description: Index data of rules, in a trusted or an untrusted project.
rules(list) := _index(list, true)

untrusted(list) := _index(list, false)

# METADATA
# description: Index data with the default of a layer.
with_default(index, layer, value) := object.union(index, {"default": {layer: value}, "lifts": {value: _lifting[layer]}})

_lifting := {"project": 1, "local": 1, "user": 3, "managed": 4}

_guarding := {"project": 1, "local": 1, "user": 2, "managed": 2}

_strength("managed", _) := 4

_strength("user", _) := 3

_strength(layer, true) := 2 if layer in {"project", "local"}

_strength(layer, false) := 1 if layer in {"project", "local"}

_index(list, trusted) := object.union_n(array.concat(
	[{
		"version": 1,
		"effect": {rule.id: rule.effect | some rule in list},
		"layer": {rule.id: rule.layer | some rule in list},
		"strength": {rule.id: _strength(rule.layer, trusted) | some rule in list; rule.effect == "allow"},
		"naming": {rule.id: true | some rule in list; rule.effect == "allow"; rule.naming},
		"only": {rule.id: rule.only | some rule in list},
		"bases": {rule.id: rule.bases | some rule in list; count(rule.bases) > 0},
		"loose": {rule.id: true | some rule in list; rule.loose},
		"default": {},
		"lifts": {},
		"trusted": trusted,
		"reads": {},
		"writes": {},
		"commands": {},
		"allowed": {},
		"tools": {},
	}],
	array.concat(_write_guard(list), _tables(list)),
))

_write_guard(list) := [{"guards_writes": max(needed)} |
	needed := {_guarding[rule.layer] | some rule in list; rule.guards; rule.effect != "allow"}
	count(needed) > 0
]

_tables(list) := [_nest(at, [_entry(rule, entry) | some rule in list; some entry in rule.entries; _table_of(rule, entry) == at]) |
	some at in {_table_of(rule, entry) | some rule in list; some entry in rule.entries}
]

# METADATA
# description: >-
#   The tables for an entry. An allow rule lacks the entries that only deny and ask need, and its commands have a separate
#   table.
_table_of(rule, entry) := array.concat(["allowed"], array.slice(entry.at, 1, count(entry.at))) if {
	rule.effect == "allow"
	entry.at[0] == "commands"
	not entry.narrow
}

_table_of(rule, entry) := entry.at if {
	rule.effect == "allow"
	entry.at[0] != "commands"
	not entry.narrow
}

_table_of(rule, entry) := entry.at if rule.effect != "allow"

_entry(rule, entry) := object.union({"id": rule.id}, entry.guard)

_entry(rule, entry) := rule.id if not entry.guard

_nest([a, b], value) := {a: {b: value}}

_nest([a, b, c], value) := {a: {b: {c: value}}}

_nest([a, b, c, d], value) := {a: {b: {c: {d: value}}}}

_nest([a, b, c, d, e], value) := {a: {b: {c: {d: {e: value}}}}}
