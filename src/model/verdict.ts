// The result of evaluating a policy.

/** One rule that matched, and the text that it matched. */
export interface Hit {
  /** Rule id of the index data. */
  id: string;
  /** The matched text: a path, a command text, a tool name, a host. */
  on: string;
  /** Index into bash.commands if a command did it, else null. */
  command: number | null;
  /** The kind of access (`sed -i`, `Write`); '' if that adds nothing. */
  via: string;
}

/** The object at the entrypoint `modes/verdict`. Sets arrive in any order and are sorted before they are returned. */
export interface Verdict {
  verdict: 'deny' | 'ask' | 'allow' | 'pass';
  /** The step of "The order" that decided. */
  by: 'rule' | 'protection' | 'uncertainty' | 'default' | 'open' | 'policy';
  /** Every rule that matched, of any effect. */
  hits: Hit[];
  /** Indices into facts.may_write_anywhere that no allow rule names, if some rule guards writes. */
  unnamed: number[];
  /** Built-in protections that matched, with name and remedy as in the facts. */
  protections: { effect: 'deny' | 'ask'; name: string; on: string; remedy: string }[];
  /** Decisions of custom policies. */
  policies: {
    name: string;
    effect: 'deny' | 'ask' | 'allow';
    reason: string;
    remedy: string | null;
    file: string;
    line: number;
  }[];
}

/** The evaluator of a verdict: the server, this machine, or both. `note`: why the server did not decide, or that they differ. */
export interface Evaluated {
  by: 'opa' | 'local' | 'both';
  server: string;
  note?: string;
}
