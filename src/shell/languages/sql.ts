// SQLite statements and dot commands. Only plain queries are known to change nothing.

const DOT =
  /^\.(?:tables|schema|indexes|indices|databases|dbinfo|dump|fullschema|headers?|mode|nullvalue|width|print|separator|show|timer|stats|eqp|explain|version|quit|exit|changes|echo)\b[^|>]*$/i;
const PRAGMA =
  /^pragma\s+(?:\w+\.)?(?:table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|database_list|collation_list|function_list|compile_options|user_version|schema_version|integrity_check|quick_check|page_count|page_size|encoding)\s*(?:\([^()]*\))?$/i;
const FORBIDDEN =
  /\b(?:writefile|load_extension|edit|readfile|fsdir|lsdir|attach|detach|vacuum|insert|update|delete|replace\s+into|create|drop|alter|reindex|analyze|pragma|begin|commit|savepoint|zipfile|sqlar\w*|shell|fts\w*|eval|\w+_query(?=\s*\())\b/i;

/** Returns the reason why statements may be harmful, or null if they are certainly harmless. */
export function readSql(text: string): string | null {
  // A dot command takes a whole line. A line after a statement that begins with a dot counts too.
  const sql: string[] = [];
  for (const line of text.split('\n')) {
    const t = line.trim();
    if (t.startsWith('.')) {
      if (!DOT.test(t)) return 'has a dot command that may not be harmless';
      if (/["'`\\]/.test(t) && !/^\.(?:print|separator|nullvalue)/.test(t)) return 'has a dot command that is not understood';
    } else if (t.startsWith('#')) return 'has a comment that is not SQL';
    else sql.push(line);
  }
  const parts: string[] = [];
  let current = '';
  const body = sql.join('\n');
  for (let i = 0; i < body.length; i++) {
    const c = body[i]!;
    if (c === "'" || c === '"' || c === '`' || c === '[') {
      const close = c === '[' ? ']' : c;
      const end = body.indexOf(close, i + 1);
      if (end < 0) return 'is not understood';
      // A quoted name can also be a function.
      current += c === "'" ? "''" : ` ${body.slice(i + 1, end)} `;
      i = end;
    } else if (c === '-' && body[i + 1] === '-') {
      const end = body.indexOf('\n', i);
      i = end < 0 ? body.length : end;
      current += ' ';
    } else if (c === '/' && body[i + 1] === '*') {
      const end = body.indexOf('*/', i + 2);
      if (end < 0) return 'is not understood';
      i = end + 1;
      current += ' ';
    } else if (c === ';') {
      parts.push(current);
      current = '';
    } else current += c;
  }
  parts.push(current);
  for (const p of parts) {
    const s = p.trim();
    if (s === '') continue;
    if (PRAGMA.test(s)) continue;
    if (!/^(?:select|with|values|explain)\b/i.test(s)) return 'is more than a query';
    if (FORBIDDEN.test(s)) return 'is more than a query';
  }
  return null;
}

/** Functions that change nothing, and keywords of a query that a parenthesis may follow. */
const HARMLESS_CALLS = new Set(
  `abs age all and any array array_agg array_length as avg between by case cast ceil coalesce concat count current_database
  current_schema current_user date date_part date_trunc dense_rank distinct else except exists explain extract filter first_value floor
  format from greatest group group_concat having ifnull in inner intersect interval join json_agg jsonb_agg json_build_object
  jsonb_build_object lag last_value lateral lead least left length like limit lower ltrim max md5 min mod not now ntile nullif on or
  order over partition pg_database_size pg_get_constraintdef pg_get_indexdef pg_get_viewdef pg_indexes_size pg_relation_size
  pg_size_pretty pg_table_size pg_total_relation_size position power rank regexp_replace replace right round row row_number
  row_to_json rtrim select split_part sqrt string_agg substr substring sum then to_char to_date to_json to_jsonb to_timestamp trim union
  unnest upper using values version when where with`.split(/\s+/),
);

const CHANGES =
  /\b(?:into|for|analyze|analyse|insert|update|delete|merge|create|drop|alter|truncate|grant|revoke|call|execute|do|copy|lock|set|reset|vacuum|refresh|procedure|outfile|dumpfile|handler|load)\b/i;

/**
 * True for a single PostgreSQL or MySQL query that only calls functions known to change nothing. False for a query with a quoted
 * name, a comment, a client variable, or a backslash, which the client itself interprets.
 */
export function isPlainQuery(text: string): boolean {
  const bare = text
    .replace(/'[^'\\]*'/g, "''")
    .trim()
    .replace(/\s*;$/, '');
  if (/[^\w\s.,()*=<>!+/%|'-]|--|\/\*|\bu&/i.test(bare)) return false;
  if (/^show\s[\w\s.]+$/i.test(bare)) return true;
  // `explain analyze` runs the statement after it.
  const explained = /^explain\s+(?:(?:analy[sz]e|verbose)\s+)+(.*)$|^explain\s*\([\w\s,]+\)\s*(.*)$/is.exec(bare);
  if (explained !== null)
    return /^(?:select|with|values|table)\b/i.test(explained[1] ?? explained[2]!) && isPlainQuery(explained[1] ?? explained[2]!);
  if (!/^(?:select|with|values|explain|table)\b/i.test(bare) || CHANGES.test(bare)) return false;
  // With a schema prefix, the name may refer to a different function.
  if (/\.\s*\w+\s*\(/.test(bare)) return false;
  return [...bare.matchAll(/(\w+)\s*\(/g)].every(([, name]) => HARMLESS_CALLS.has(name!.toLowerCase()));
}
