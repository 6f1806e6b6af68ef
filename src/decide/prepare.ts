// The slow way to a decision: reads a configuration, parses and lowers its rules, compiles its policies.
import type { Problem } from '../config/problem.ts';
import { readConfiguration } from '../config/read.ts';
import type { Sources } from '../config/sources.ts';
import type { Configuration, ModeSettings } from '../config/types.ts';
import { buildPolicy } from '../policy/build.ts';
import { type Bundle, makeBundle } from '../policy/bundle.ts';
import { obtainBundle } from '../policy/cache.ts';
import capabilities from '../rego/capabilities.json' with { type: 'json' };
import { Compiler } from '../rego/compiler.ts';
import { compilerFiles } from '../rego/files.ts';
import type { Capabilities, Failure, Modules } from '../rego/types.ts';
import { lowerRules } from '../rules/lower.ts';
import { parseRules } from '../rules/parse.ts';
import type { Rule } from '../rules/types.ts';
import { keepPrepared, modeKey, type Prepared, type PrepareWith, preparedKey } from './prepared.ts';

/** Makes a configuration ready and keeps it. Never throws: what is wrong is in `known.problems`. */
export async function prepare(sources: Required<Sources>, build: PrepareWith): Promise<Prepared> {
  const configuration = readConfiguration(sources);
  const problems = [...configuration.problems];
  const key = preparedKey(sources, build);
  const compiler = new Compiler({ files: compilerFiles(build.packageRoot), cacheFolder: build.cacheFolder });
  const custom: Modules = Object.fromEntries(configuration.policies.map(({ name, text }) => [name, text]));
  const modes: Prepared['modes'] = new Map();
  for (const [mode, settings] of configuration.settings) {
    const { rules, problems: found } = parseRules(settings.rules, { home: build.home });
    addNew(problems, withLines(found, configuration));
    const made = await obtainBundle(
      build.cacheFolder,
      modeKey(key, mode),
      () => makeMode({ mode, rules, settings, custom, compiler }, build),
      { hash: build.core.wasm, bytes: build.core.bytes },
    );
    addNew(problems, made.ok ? made.warnings : withLines(made.problems, configuration));
    if (made.ok)
      modes.set(mode, {
        bundle: made.bundle,
        rules: rules.map(({ id, effect, text, source }) => ({ id, effect, text, source })),
      });
  }
  compiler.close();
  const { topology, settings, instructions, policies, hash } = configuration;
  const prepared: Prepared = {
    known: { topology, settings, instructions, policies: policies.map(({ name }) => name), hash, problems },
    modes,
  };
  // What could not be compiled may have failed for a passing reason, a time limit or a full disk, and is tried again.
  const unkept = modes.size === configuration.settings.size ? keepPrepared(key, prepared, build) : null;
  if (unkept !== null) addNew(problems, [unkept]);
  return prepared;
}

interface Parts {
  mode: string;
  rules: Rule[];
  settings: ModeSettings;
  custom: Modules;
  compiler: Compiler;
}

async function makeMode(
  { mode, rules, settings, custom, compiler }: Parts,
  { trusted, core }: PrepareWith,
): Promise<{ ok: true; bundle: Bundle } | Failure> {
  const data = { rules: lowerRules(rules, { defaults: settings.defaults, trusted }) };
  if (Object.keys(custom).length === 0)
    return { ok: true, bundle: makeBundle({ mode, wasm: core.bytes, entrypoints: core.entrypoints, data }) };
  const built = await buildPolicy(core.modules, custom, compiler, capabilities as Capabilities);
  if (!built.ok) return built;
  return {
    ok: true,
    bundle: makeBundle({
      mode,
      wasm: built.wasm,
      entrypoints: built.entrypoints,
      data,
      policies: built.policies,
      needsToolInput: built.needsToolInput,
    }),
  };
}

/** A rule of settings.any.json is parsed once a mode; its problem is told once. */
function addNew(problems: Problem[], found: Problem[]): void {
  const key = ({ code, file, line, column, message }: Problem): string => JSON.stringify([code, file, line, column, message]);
  const told = new Set(problems.map(key));
  for (const problem of found) {
    if (told.has(key(problem))) continue;
    told.add(key(problem));
    problems.push(problem);
  }
}

/** Adds the text of the line, for the caret. */
function withLines(problems: Problem[], { files }: Configuration): Problem[] {
  return problems.map((problem) => {
    if (problem.lineText !== undefined || problem.line === undefined) return problem;
    const text = files.find((file) => file.name === problem.file)?.text.split(/\r?\n/)[problem.line - 1];
    return text === undefined ? problem : { ...problem, lineText: text };
  });
}
