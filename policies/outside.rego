# Rules with a list of files that may be written. They match every other write, by any tool.
package modes

# METADATA
# description: >-
#   A write whose path, in at least one reading, is outside of a rule's files. The session's own files and the temporary folder are
#   exempt.
hits contains {"id": rule.id, "on": access.names[0].path, "command": access.command, "via": access.via} if {
	some rule in data.rules.outside
	some i, access in input.writes
	not _is_own(access)
	access.root != "temp"
	not _is_inside(rule, access)
	not _lifts("writes", i, rule.id)
}

# METADATA
# description: Every reading of the path has a name that is one of the files.
_is_inside(rule, access) if {
	every reading in access.readings {
		some at in reading
		_is_file_of(rule, access, access.names[at])
	}
}

# METADATA
# description: By a key of the name.
_is_file_of(rule, _, name) if {
	some key in name.keys
	rule.keys[key]
}

# METADATA
# description: A component anywhere below a literal folder.
_is_file_of(rule, _, name) if {
	some folder in name.keys
	some key in name.keys
	rule.within[folder][key]
}

# METADATA
# description: Patterns that cannot be looked up by a key alone.
_is_file_of(rule, _, name) if {
	some folder in name.keys
	some guard in rule.guarded[folder]
	contains(name.path, guard.has)
	regex.match(guard.expression, name.path)
}

# METADATA
# description: The root with everything below it, if the files are everything below it.
_is_file_of(rule, access, name) if {
	access.deep
	name.path == ""
	rule.keys["<"]
}

# METADATA
# description: >-
#   Expressions are matched against relative paths. One of them matches the folders of patterns such as `folder/**`, which a call
#   creates before the first file. An expression that matches a folder says nothing about the files below it.
_is_file_of(rule, access, name) if {
	not access.deep
	name.path != ""
	not startswith(name.path, "/")
	some expression in rule.expressions
	regex.match(expression, name.path)
}
