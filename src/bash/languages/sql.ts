// SQLite statements and dot commands: only plain queries are known to change nothing.

const DOT =
  /^\.(?:tables|schema|indexes|indices|databases|dbinfo|fullschema|headers?|mode|nullvalue|width|print|separator|show|timer|stats|eqp|explain|version|quit|exit|changes|echo)\b[^|>]*$/i;
const PRAGMA =
  /^pragma\s+(?:\w+\.)?(?:table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|database_list|collation_list|function_list|compile_options|user_version|schema_version|integrity_check|quick_check|page_count|page_size|encoding)\s*(?:\([^()]*\))?$/i;
const FORBIDDEN =
  /\b(?:writefile|load_extension|edit|readfile|fsdir|lsdir|attach|detach|vacuum|insert|update|delete|replace\s+into|create|drop|alter|reindex|analyze|pragma|begin|commit|savepoint|zipfile|sqlar\w*|shell|fts\w*|eval|\w+_query(?=\s*\())\b/i;

/** Says why statements are not certainly harmless; null when they are. */
export function readSql(text: string): string | null {
  // Dot commands take whole lines; a line that begins with a dot behind a statement counts too.
  const sql: string[] = [];
  for (const line of text.split('\n')) {
    const t = line.trim();
    if (t.startsWith('.')) {
      if (!DOT.test(t)) return 'has a dot command that is not known to be harmless';
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
      // A quoted name can still be a function.
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
    if (!/^(?:select|with|values|explain)\b/i.test(s)) return 'is no plain query';
    if (FORBIDDEN.test(s)) return 'is no plain query';
  }
  return null;
}
