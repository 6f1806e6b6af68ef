// A configuration as decisions use it.

import { renderProblem } from '../config/render.ts';
import type { DeclaredCommand } from '../model/command.ts';
import type { Trust } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';
import { Policies, type PolicyRequest } from './policies.ts';
import type { LoadedRules, Prepared } from './prepared.ts';

/** One content, loaded: its rules and policies. */
export interface LoadedConfig {
  /** Content hash. */
  id: string;
  content: ConfigSnapshot;
  known: LoadedRules;
  /** A person approved the project's own layer. */
  trusted: boolean;
  policies: Policies;
  commands: readonly DeclaredCommand[];
}

export function openConfig(
  id: string,
  snapshot: ConfigSnapshot,
  trust: Trust,
  prepared: Prepared,
  packageRoot: string,
  request: PolicyRequest | null = null,
): LoadedConfig {
  const { known: rules } = prepared;
  const trusted = trust !== false && !isOverruled(rules);
  return {
    id,
    content: snapshot,
    known: rules,
    trusted,
    policies: new Policies(prepared, packageRoot, request),
    commands: rules.commands,
  };
}

/** A person approved it although the organization forbids approval. */
function isOverruled({ problems }: LoadedRules): boolean {
  return problems.some(({ code }) => code === 'W_TRUST_FORBIDDEN');
}

/** The trust state, in words. */
export function trustState({ trusted, known: rules }: LoadedConfig): string {
  if (trusted) return 'trusted';
  return !rules.approvable ? 'not trusted, because the organization does not allow it' : 'not trusted yet (modes trust)';
}

/** Placeholder for a content that cannot be loaded. It contains only the reason. */
export function lostConfig(id: string, problem: Problem, packageRoot: string): LoadedConfig {
  const rules: LoadedRules = {
    topology: null,
    topologyLayer: null,
    commands: [],
    arguments: [],
    headlessPass: 'deny',
    approvable: true,
    opa: null,
    settings: new Map(),
    instructions: new Map(),
    policies: [],
    hash: '',
    problems: [problem],
  };
  return openConfig(id, [], false, { known: rules, modes: new Map() }, packageRoot);
}

/** All problems of the content, as far as it was loaded. */
export function problemsOf({ known: rules, policies }: LoadedConfig): Problem[] {
  return [...rules.problems, ...policies.problems];
}

/** The first error that makes the content unusable, in words; null if it is usable. */
export function brokenBy(config: LoadedConfig): string | null {
  const error = errorOf(config);
  if (error === undefined) return null;
  const where = error.file === undefined ? '' : `${error.file}:${error.line ?? 1}:${error.column ?? 1} `;
  return `${where}${error.message.replace(/\.$/, '')} (${error.code})`;
}

/** The same with the source line, a caret below it and the remedy; null if the content is usable. */
export function brokenAt(config: LoadedConfig): string | null {
  const error = errorOf(config);
  return error === undefined ? null : renderProblem(error);
}

export function errorOf({ known: rules, policies }: LoadedConfig): Problem | undefined {
  const isError = ({ severity }: Problem): boolean => severity === 'error';
  return rules.problems.find(isError) ?? policies.problems.find(isError);
}
