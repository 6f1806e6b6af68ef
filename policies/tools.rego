# Tools, agents, skills, parameters: rules that meet a call by the names in it.
package modes

# METADATA
# description: One of our own tools; only its full name reaches it.
_own_tool if input.tool.group == "own"

# METADATA
# description: >-
#   A call that touches nothing but the session's own files: no name, group or default meets it.
_own_files if {
	input.tool.group in {"read", "edit"}
	accesses := array.concat(input.reads, input.writes)
	count(accesses) > 0
	every access in accesses {
		access.own != null
	}
}

# METADATA
# description: Deny and ask rules that meet the call by name.
_names_denied contains id if {
	_own_tool
	some id in data.rules.tools.narrow.exact[input.tool.name]
}

_names_denied contains id if {
	_is_common
	some key in input.tool.keys
	some id in data.rules.tools.narrow.exact[key]
}

_names_denied contains guard.id if {
	_is_common
	some guard in _name_guards(data.rules.tools.narrow)
	_text_meets(guard, input.tool.name)
}

_names_denied contains id if {
	_is_common
	some id in data.rules.tools.narrow.group[input.tool.group]
}

_names_denied contains id if {
	some id in _named(data.rules.agents.narrow, input.agents)
}

_names_denied contains id if {
	some id in _named(data.rules.skills.narrow, input.skills)
}

# METADATA
# description: Allow rules that meet the call by name.
_names_allowed contains id if {
	_is_common
	some key in input.tool.keys
	some id in data.rules.tools.wide.exact[key]
}

_names_allowed contains guard.id if {
	_is_common
	some guard in _name_guards(data.rules.tools.wide)
	_text_meets(guard, input.tool.name)
}

_names_allowed contains id if {
	_is_common
	some id in data.rules.tools.wide.group[input.tool.group]
}

_names_allowed contains id if {
	some id in _named(data.rules.agents.wide, input.agents)
}

_names_allowed contains id if {
	some id in _named(data.rules.skills.wide, input.skills)
}

# METADATA
# description: Names count for a call, unless it is one of our tools or touches only the session's own files.
_is_common if {
	not _own_tool
	not _own_files
}

# METADATA
# description: Patterns of names that this tool could meet.
_name_guards(tables) := array.concat(
	[guard | some guard in tables.guarded[""]],
	[guard | some key in input.tool.keys; some guard in tables.guarded[key]],
)

# METADATA
# description: Rules for agents or skills that meet one of these names.
_named(tables, names) := union({
	{id | some name in names; some id in tables.exact[name]},
	{guard.id | some name in names; some guard in tables.guarded[""]; _text_meets(guard, name)},
})

hits contains _tool_hit(id, input.tool.name) if some id in _names_denied

hits contains _tool_hit(id, input.tool.name) if some id in _names_allowed

# Rules on parameters meet a call by a parameter that it gives.
hits contains _tool_hit(id, concat("", [param, ": ", input.tool.params[param]])) if {
	some key in input.tool.keys
	some param, tables in data.rules.params[key]
	some id in tables.exact[input.tool.params[param]]
}

hits contains _tool_hit(guard.id, concat("", [param, ": ", value])) if {
	some key in input.tool.keys
	some param, tables in data.rules.params[key]
	value := input.tool.params[param]
	some guard in tables.guarded
	_text_meets(guard, value)
}

# METADATA
# description: A hit on the call as such.
_tool_hit(id, on) := {"id": id, "on": on, "command": null, "via": ""}

# METADATA
# description: How strongly the call is allowed by name; 0 where it is not.
tool_strength := max({0} | {data.rules.strength[id] | some id in _names_allowed})

# METADATA
# description: How strongly an access is allowed by the tool's name. A command and a server's declared argument need a path.
_strength_by_name(access) := 0 if _is_run(access)

_strength_by_name(access) := tool_strength if not _is_run(access)
