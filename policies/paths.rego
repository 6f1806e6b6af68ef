# Paths: which rules meet a path, found by its keys; reads and writes use the same tables.
package modes

# METADATA
# description: >-
#   Rules that meet one name of a path, allow rules among them. A name is found by its keys, by its ancestors, by both
#   together, and last by the patterns that stand behind a literal folder.
_met_by(tables, name) := union({
	{id | some key in name.keys; some id in tables.keys[key]},
	{id | some up in name.up; some id in tables.under[up]},
	{id | some up in name.up; within := tables.within[up]; some key in name.keys; some id in within[key]},
	{guard.id |
		some up in name.up
		some guard in tables.guarded[up]
		contains(name.path, guard.has)
		regex.match(guard.expression, name.path)
	},
	{id | some id in tables.every},
})

# METADATA
# description: For each name of an access the rules that meet it and count for it.
_met_names(tables, access) := [{id | some id in _met_by(tables, name); _counts(id, access)} | some name in access.names]

# METADATA
# description: A rule counts for every access, but for those that only some rules may meet.
_counts(id, access) if {
	access.own == null
	not access.dependency
	not data.rules.only[id]
}

_counts(id, access) if {
	access.own == null
	not access.dependency
	data.rules.only[id] in input.tool.keys
}

# A dependency folder that is removed whole meets only paths that are held to a root, and bare names.
_counts(id, access) if {
	access.own == null
	access.dependency
	not data.rules.loose[id]
	_counts_for_tool(id)
}

# The session's own files are met only by a rule whose path names their folder.
_counts(id, access) if {
	access.own != null
	some base in data.rules.bases[id]
	_lies_in(base, access.own)
	_counts_for_tool(id)
}

# METADATA
# description: A rule that is held to one tool counts in calls of that tool.
_counts_for_tool(id) if not data.rules.only[id]

_counts_for_tool(id) if data.rules.only[id] in input.tool.keys

# METADATA
# description: A path is a folder or lies below it.
_lies_in(path, folder) if path == folder

_lies_in(path, folder) if startswith(path, concat("", [folder, "/"]))

# METADATA
# description: A hit as the decision shows it.
_path_hit(id, on, access) := {"id": id, "on": on, "command": access.command, "via": access.via}

# METADATA
# description: >-
#   How strong the allow rules are that cover an access: of each reading the strongest, of all readings the weakest; 0 where
#   one is not covered.
_coverage(access, met) := min([best |
	some reading in access.readings
	best := max({0} | {data.rules.strength[id] | some at in reading; some id in met[at]})
])
