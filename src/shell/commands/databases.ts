// Clients of databases, limited to requests that certainly change nothing.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { isPlainQuery } from '../languages/sql.ts';
import { type Given, type GivenOption, has, type OptionTable } from '../options.ts';

/** Read-only commands of Redis. Two-word commands are listed with both words. */
const REDIS =
  /^(?:ping|info|get|mget|exists|ttl|pttl|type|keys|scan|strlen|getrange|llen|lrange|lindex|hget|hgetall|hkeys|hvals|hlen|hmget|hexists|hscan|scard|smembers|sismember|sscan|zcard|zrange|zscore|zrangebyscore|zrevrange|zrank|zcount|zscan|xlen|xrange|xrevrange|dbsize|time|lastsave|role|randomkey|bitcount|config get|client (?:list|info|id|getname)|slowlog (?:get|len)|cluster (?:info|nodes|slots)|memory (?:usage|stats|doctor)|object (?:encoding|freq|idletime|refcount)|xinfo (?:stream|groups|consumers))(?: |$)/i;

function redis(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  call.accept({ ...given, flaggy: given.operands.includes(given.flaggy!) ? null : given.flaggy });
  call.roles(given);
  if (has(given, 'v', 'version')) return;
  call.network();
  if (given.operands.length === 0 && has(given, 'scan', 'bigkeys', 'memkeys')) return queriesDefault(call, given, true);
  const words = given.operands.map((o) => o.literal ?? '?').join(' ');
  const isQuery = !given.operands[0]?.several && REDIS.test(words);
  queriesDefault(call, { ...given, operands: [] }, isQuery);
  if (!isQuery)
    call.unknown(`redis-cli ${given.operands[0]?.text ?? 'without a command'} is not in the list of commands that only read`);
}

/** Only names and patterns are accepted, because psql runs the text between backquotes. */
const DESCRIBES = /^\\(?:l|d[a-zA-Z]{0,5}|conninfo)[S+]{0,2}(?: [\w.*]+)?$/;

/** Without a host, the client asks the server of this machine, or the one that the user chose. A query changes nothing there. */
function queriesDefault(call: CommandCall, given: Given, isQuery: boolean): void {
  const words = [
    ...given.operands,
    ...given.options.flatMap(({ name, value }) => (/^d(?:bname)?$/.test(name) ? (value ?? []) : [])),
  ];
  const isNamed =
    given.options.some(({ spec }) => spec.role === 'h') ||
    words.some(({ literal }) => /[:@=]/.test(literal ?? '@')) ||
    call.prefix.length > 0 ||
    HOSTS.some((name) => call.state.has(name));
  if (isQuery && given.problem === null && given.flaggy === null && !isNamed) call.queries();
}

/** Variables that name another server. */
const HOSTS = ['PGHOST', 'PGHOSTADDR', 'PGSERVICE', 'MYSQL_HOST', 'REDISCLI_HOST'];

/** A database name or a connection string. Its settings may name files that the client writes and libraries that it loads. */
function database(call: CommandCall, given: Given) {
  const named = given.options.flatMap((o) => (/^(?:d|dbname)$/.test(o.name) ? (o.value ?? []) : []));
  for (const o of [...named, ...given.operands])
    if (/[=?]/.test(o.literal ?? '?')) call.unknown(`${call.name} with connection settings that are not analyzed`, o);
}

/** Connects to one server and accepts at most this number of other words, as names. */
const connects = (most: number) => (call: CommandCall, t: OptionTable) => {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  call.network();
  database(call, given);
  if (given.operands.length > most) call.unknown(`${call.name} with unrecognized arguments`, given.operands[most]);
};

function psql(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (has(given, 'V', 'version')) return;
  call.network();
  database(call, given);
  const texts = given.options.filter((o) => o.name === 'c' || o.name === 'command');
  if (texts.length === 0 && !has(given, 'l', 'list')) call.unknown('psql runs its standard input');
  // A called function may do anything.
  const isQuery = ({ value }: GivenOption) => DESCRIBES.test(value?.literal ?? '') || isPlainQuery(value?.literal ?? '');
  queriesDefault(call, given, texts.every(isQuery));
  for (const o of texts) if (!isQuery(o)) call.unknown('psql runs a statement that may be more than a query', o.arg);
}

const SHOWS = /^ *(?:show [\w .`'%]*|desc(?:ribe)? +[\w.`]+ *)(?:(?:;|\\G) *)?$/i;

function mysql(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (has(given, 'V', 'version')) return;
  call.network();
  const texts = given.options.filter((o) => o.name === 'e' || o.name === 'execute');
  if (texts.length === 0) call.unknown(`${call.name} runs its standard input`);
  const isQuery = ({ value }: GivenOption) => SHOWS.test(value?.literal ?? '') || isPlainQuery(value?.literal ?? '');
  queriesDefault(call, given, texts.every(isQuery));
  for (const o of texts) if (!isQuery(o)) call.unknown(`${call.name} runs a statement that may be more than a query`, o.arg);
}

function mysqladmin(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  call.network();
  for (const o of given.operands)
    if (!/^(?:status|extended-status|ping|version|variables|processlist)$/.test(o.literal ?? ''))
      call.unknown('mysqladmin with a command that may change something', o);
}

const POSTGRES = '-h:h -p: -U: -d: -wW --host:h --port: --username: --dbname: --no-password --password';
const MYSQL = '-u: -h:h -P: -p? -S: --user: --host:h --port: --password? --socket: --protocol:';

export const databases: CommandEntry[] = [
  {
    names: 'redis-cli',
    options:
      '-h:h -p: -s: -a: -u:h -r: -i: -n: -23v --user: --pass: --askpass --no-auth-warning --raw --no-raw --csv --json --tls --scan --pattern: --count: --bigkeys --memkeys --version',
    handle: redis,
    examples: {
      'redis-cli -h a.invalid -n 1 hgetall user:1': 'read-only',
      'redis-cli --scan --pattern a*': 'unknown',
      "redis-cli --scan --pattern 'a*'": 'read-only',
      'redis-cli CONFIG GET maxmemory': 'read-only',
      'redis-cli config set dir /x': 'unknown',
      'redis-cli set a b': 'unknown',
      'redis-cli flushall': 'unknown',
      'redis-cli --eval a.lua': 'unknown',
      'redis-cli --rdb f': 'unknown',
      'redis-cli -x get a': 'unknown',
      'redis-cli getdel a': 'unknown',
      'redis-cli': 'unknown',
    },
  },
  {
    names: 'psql',
    version: '--version -V',
    options: `${POSTGRES} -lXAtxqV -c: -F: --list --command: --no-psqlrc --tuples-only --no-align --expanded --quiet --csv --version`,
    handle: psql,
    examples: {
      'psql -l': 'read-only',
      "psql -U me -d db -c '\\dt+ public.*'": 'read-only',
      "psql -c '\\d `touch x`'": 'unknown',
      "psql -c 'select f()'": 'unknown',
      "psql -c 'select count(*) from t;'": 'read-only',
      "psql -c 'explain analyze select * from t'": 'read-only',
      "psql -c 'explain (analyze, buffers) select * from t'": 'read-only',
      "psql -c 'explain analyze delete from t'": 'unknown',
      "psql -c 'explain (analyze) select f()'": 'unknown',
      "psql -c 'with x as (delete from t returning *) select * from x'": 'unknown',
      "psql -c '\\! ls'": 'unknown',
      "psql -l -c 'drop table a'": 'unknown',
      'psql -f a.sql': 'unknown',
      'psql db': 'unknown',
      'psql -l -o f': 'unknown',
      'psql -l postgres://a.invalid/db': 'read-only',
      "psql -l 'host=x sslkeylogfile=f'": 'unknown',
      "psql -l 'postgres://a.invalid/db?sslkeylogfile=f'": 'unknown',
      'psql -l -d "$(cat x)"': 'unknown',
      'psql -l --dbname=sslkeylogfile=f': 'unknown',
    },
  },
  {
    names: 'pg_isready',
    options: `-h:h -p: -U: -d: -t: -qV --host:h --port: --username: --dbname: --timeout: --quiet --version`,
    handle: connects(0),
    examples: { 'pg_isready -h localhost': 'read-only', 'pg_isready -d sslkeylogfile=f': 'unknown' },
  },
  {
    names: 'pg_dump',
    options: `${POSTGRES} -sacCOxvV -n: -N: -t: -T: -f:w --file:w --schema-only --data-only --schema: --table: --no-owner --no-privileges --inserts --version`,
    handle: connects(1),
    examples: {
      'pg_dump -s db': 'read-only',
      'pg_dump sslkeylogfile=f': 'unknown',
      'pg_dump -f x db': 'writes',
      'pg_dump -Fd -f x db': 'unknown',
    },
  },
  {
    names: 'mysql mariadb',
    version: '--version -V',
    options: `${MYSQL} -D: -e: -NBstrEV --database: --execute: --batch --silent --skip-column-names --table --raw --vertical --version`,
    handle: mysql,
    examples: {
      "mysql -u me -e 'show tables' db": 'read-only',
      "mysql -e 'show processlist\\G'": 'read-only',
      "mysql -e 'show tables; drop table a'": 'unknown',
      "mysql -e 'select 1'": 'read-only',
      "mysql -e 'select f(1)'": 'unknown',
      'mysql -e \'select 1 into outfile "/x"\'': 'unknown',
      "mysql -e 'desc users;'": 'read-only',
      "mysql -e 'desc analyze delete a from t a'": 'unknown',
      "mysql -e 'show tables \\! ls'": 'unknown',
      'mysql db': 'unknown',
      "mysql --pager=x -e 'show tables'": 'unknown',
    },
  },
  {
    names: 'mysqladmin',
    options: `${MYSQL} -i: -c: -rsvV --version`,
    handle: mysqladmin,
    examples: { 'mysqladmin -u root status': 'read-only', 'mysqladmin shutdown': 'unknown', 'mysqladmin ping drop x': 'unknown' },
  },
  {
    names: 'mysqlshow mariadb-show',
    version: '--version -V --help',
    options: `${MYSQL} -kitv --keys --status --show-table-type --count --verbose`,
    handle: connects(3),
    examples: {
      'mysqlshow app': 'read-only',
      'mysqlshow -u root app users': 'read-only',
      'mysqlshow --defaults-file=f app': 'unknown',
      'mysqlshow --plugin-dir=d app': 'unknown',
    },
  },
  {
    // Options that stop a replica, remove logs, let the server write files, or contain SQL are not listed.
    names: 'mysqldump mariadb-dump',
    version: '--version -V --help',
    options: `${MYSQL} -dtABnqCeRv -r:w --no-data --no-create-info --all-databases --databases --no-create-db --quick --compress --extended-insert --skip-extended-insert --routines --events --triggers --skip-triggers --verbose --result-file:w --single-transaction --skip-lock-tables --skip-add-locks --skip-add-drop-table --skip-comments --skip-dump-date --compact --complete-insert --hex-blob --no-tablespaces --tables --ignore-table: --default-character-set: --set-gtid-purged: --column-statistics:`,
    handle: connects(Number.POSITIVE_INFINITY),
    examples: {
      'mysqldump --no-data app': 'read-only',
      'mysqldump -u root -p app users': 'read-only',
      'mysqldump -r dump.sql app': 'writes',
      'mysqldump --result-file=dump.sql app': 'writes',
      'mysqldump -T d app': 'unknown',
      'mysqldump --tab=d app': 'unknown',
      'mysqldump --log-error=f app': 'unknown',
      'mysqldump --flush-logs app': 'unknown',
      'mysqldump -x app': 'unknown',
      "mysqldump --where='f()' app": 'unknown',
      'mysqldump --dump-slave app': 'unknown',
      'mysqldump --defaults-extra-file=f app': 'unknown',
    },
  },
  {
    names: 'redis-server',
    version: '--version -v --help -h',
    handle: (call) => call.unknown('redis-server starts a server'),
    examples: { 'redis-server --version': 'read-only', 'redis-server': 'unknown', 'redis-server --version f': 'unknown' },
  },
  {
    names: 'pg_config',
    version: '--version --help',
    options:
      '--bindir --docdir --htmldir --includedir --pkgincludedir --includedir-server --libdir --pkglibdir --localedir --mandir --sharedir --sysconfdir --pgxs --configure --cc --cppflags --cflags --cflags_sl --ldflags --ldflags_ex --ldflags_sl --libs',
    operands: 'none',
    examples: { 'pg_config --includedir': 'read-only', pg_config: 'read-only', 'pg_config x': 'unknown' },
  },
  {
    names: 'mongosh mongo duckdb clickhouse-client',
    version: '--version -V',
    class: 'unknown',
    why: 'connects to a database with statements that are not analyzed',
    operands: 'text',
    handle: (call) => call.unknown(`${call.name} runs statements that are not analyzed`),
  },
];
