# METADATA
# title: A migration needs a backup
# description: A command that migrates a database must follow a command that dumps it, in the same call.
# scope: package
# custom:
#   remedy: "Take the backup in the same command: pg_dump app > backup.sql && npx prisma migrate deploy"
package modes.policy.migrations

# METADATA
# description: Programs that write a backup.
_dumps := {"pg_dump", "pg_dumpall", "mysqldump", "mongodump"}

# METADATA
# description: Commands that run migrations. The words are adjacent, anywhere in the command.
_migrates := [
	["prisma", "migrate", "deploy"],
	["prisma", "migrate", "reset"],
	["knex", "migrate:latest"],
	["rails", "db:migrate"],
	["manage.py", "migrate"],
	["alembic", "upgrade"],
	["flyway", "migrate"],
	["npm", "run", "migrate"],
]

deny contains $"{command.text} changes the database, and nothing before it makes a backup" if {
	some at, command in input.bash.commands
	_is_migration(command)
	not _is_backed_up(at)
}

_is_backed_up(before) if {
	some at, command in input.bash.commands
	at < before
	command.name in _dumps
}

_is_migration(command) if {
	some words in _migrates
	some at, word in command.argv
	_base(word) == words[0]
	array.slice(command.argv, at + 1, at + count(words)) == array.slice(words, 1, count(words))
}

# METADATA
# description: The name of a program without its folder.
_base(word) := parts[count(parts) - 1] if parts := split(word, "/")
