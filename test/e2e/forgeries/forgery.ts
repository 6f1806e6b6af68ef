// A row of the catalog of made-up test runs, and the answers of a gate that most rows expect.
import type { Files, Suite } from '../test-suites.ts';

export interface Forgery {
  what: string;
  files: Files;
  /** In what the gate says is missing; null: beyond what names show, so the gate opens. */
  missing: RegExp | null;
  /** What the gate says with `by: engine`, where printed output alone would open it. */
  byEngine?: RegExp;
  /** The agent's call; the command of the gate unless given. */
  run?: string;
  /** A call before it, when the files have changed. */
  before?: string;
  /** A call after it, before the transition. */
  after?: string;
}

export interface ForgedSuite extends Suite {
  forgeries: Forgery[];
  /** Made-up failures, for the gate that asks for a new failing test. */
  failures?: Forgery[];
}

/** Calls that are not the command of the gate, in the words of the gate. */
export const otherRuns = (rows: Record<string, string>): Forgery[] =>
  Object.entries(rows).map(([what, run]) => ({ what, files: {}, run, missing: /does not count|changed after/ }));

export const noEvidence = /no evidence/;
export const notReported = /was not reported|were not reported/;
export const changedGuard = (name: string): RegExp => new RegExp(`${name.replaceAll('.', '\\.')}\\b.* changed since you entered`);

/** A call that puts a program into `node_modules/.bin`. npm finds it before any other. */
export const installProgram = (name: string, printed: string): string =>
  `mkdir -p node_modules/.bin && printf '%s\\n' '#!/bin/sh' 'printf "${printed}"' > node_modules/.bin/${name} && chmod +x node_modules/.bin/${name}`;

/** The source and the test file of a suite in JavaScript. */
export const addSource = (code: string): Files => ({ 'src/add.js': code });
export const addTest = (code: string): Files => ({ 'test/add.test.js': code });
