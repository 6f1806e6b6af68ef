// Detects the client, or a verb of Modes' command line that changes something, in words and texts that a program may run.

/** The client by any path. The text after it shows that it is run and not only mentioned. */
const client = String.raw`(?:[\w.~$@{}+-]*\/)*claude`;
const run = String.raw`(?=\s+["'$<>|&;\d-]|\s*$|\s*[;&|)}\n${'`'}]|\\[nr])`;
const isClient = new RegExp(`^\\s*${client}(?:\\\\[nr]|\\s)*$`);
const inShell = new RegExp(
  String.raw`(?:^|[;&|(\n{${'`'}!]|\b(?:exec|env|nohup|command|spawn|sudo|time|then|do|else)\s|(?:\b|\d)e\s)[\s@+-]*(?:\w+=\S*\s+)*${client}${run}`,
);
/** A token in the text of a program that starts other programs. */
const inCode = new RegExp(String.raw`(?:^|[\s"'${'`'}(\[{,;&|=!:])${client}(?=$|[\s"'${'`'})\]},;&|\\])`);
const startsPrograms =
  /system|spawn|exec|popen|open[23]|subprocess|pty|fork|child_process|shell|\brun\b|\bcall\b|Process|`|%x|\bqx|\$\(|\|/i;
export const clientPackage = /(^|[\s=/"'])@anthropic-ai\/claude-code(@|\/|\s|["']|$)/;

/** True for the client itself, for a shell text that runs it, and for program text that names it and starts programs. */
export function namesClient(text: string): boolean {
  return (
    isClient.test(text) || clientPackage.test(text) || inShell.test(text) || (startsPrograms.test(text) && inCode.test(text))
  );
}

/** Excludes `from modes import x`, which is Python. */
const imports = String.raw`import(?=[\s,"']+(?:roo|cc-sessions|claude-settings)(?![\w-]))`;
const verbs = `trust|init|mcp|bundle|setup|adopt|${imports}`;
const ownVerb = new RegExp(
  String.raw`(?:^|[\s"'${'`'}(\[{,;&|=!:/])(?:modes(?:\.mjs)?|claude-modes-mcp(?:@[\w.]+)?)["']?(?:[\s,]+["']?-[\w-]+(?:=(?:["'][^\s,"']*["']?|[^\s,"']*)|["'])?)*[\s,]+["']?(${verbs})(?![\w-])`,
);

/** The verb of Modes' command line that one of the texts, or all of them as the words of a command, would run, or null. */
export function ownVerbIn(texts: readonly string[]): string | null {
  return [...texts, texts.join(' ')].map((text) => ownVerb.exec(text)?.[1]).find((verb) => verb !== undefined) ?? null;
}
