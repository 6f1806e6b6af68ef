package modes.policy.migrations_test

import data.modes.policy.migrations

test_every_way_to_migrate_needs_a_backup if {
	every words in [
		["npx", "prisma", "migrate", "deploy"],
		["bin/rails", "db:migrate"],
		["python", "./manage.py", "migrate"],
		["npm", "run", "migrate"],
	] {
		count(migrations.deny) == 1 with input as _commands([words])
	}
}

test_after_a_backup if {
	count(migrations.deny) == 0 with input as _commands([["pg_dump", "app"], ["npx", "prisma", "migrate", "deploy"]])
}

test_a_backup_after_is_too_late if {
	count(migrations.deny) == 1 with input as _commands([["rails", "db:migrate"], ["pg_dump", "app"]])
}

test_other_commands_pass if {
	every words in [["prisma", "migrate", "status"], ["git", "log", "migrate"], ["npm", "run", "migrate-docs"], []] {
		count(migrations.deny) == 0 with input as _commands([words])
	}
}

_commands(list) := {"bash": {"commands": [command |
	some argv in list
	command := {"name": array.concat(argv, [""])[0], "argv": argv, "text": concat(" ", argv)}
]}}
