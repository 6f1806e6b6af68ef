// What the policy answers.

/** One rule that matched, and what it matched. `On`: a text, or the number of one left open. */
export interface Hit<On = string> {
  /** Rule id of the index data. */
  id: string;
  /** What the rule met: a path, a command text, a tool name, a host. */
  on: On;
  /** Index into bash.commands where a command did it, else null. */
  command: number | null;
  /** How the access came about (`sed -i`, `Write`), '' where that says nothing. */
  via: string;
}

/** The object at entrypoint `modes/verdict`. Sets arrive in any order and are sorted before they leave us. */
export interface Verdict<On = string> {
  verdict: 'deny' | 'ask' | 'allow' | 'pass';
  /** Which step of "The order" decided. */
  by: 'rule' | 'protection' | 'uncertainty' | 'default' | 'open' | 'policy';
  /** Every rule that matched, of any effect. */
  hits: Hit<On>[];
  /** Indices into facts.may_write_anywhere that no allow names, when some rule guards writes. */
  unnamed: number[];
  /** Built-in protection met: name and remedy as in the facts. */
  protections: { effect: 'deny' | 'ask'; name: string; on: On; remedy: string }[];
  /** Custom policies' decisions. */
  policies: {
    name: string;
    effect: 'deny' | 'ask' | 'allow';
    reason: string;
    remedy: string | null;
    file: string;
    line: number;
  }[];
}

/** Who gave a verdict: the server, this machine, or both of them; `note`: why not the server, or that they differ. */
export interface Evaluated {
  by: 'opa' | 'local' | 'both';
  server: string;
  note?: string;
}
