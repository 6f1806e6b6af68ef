// Subcommands as they come again in many programs.
import type { Call } from '../call.ts';
import type { Verb } from '../entry.ts';

/** Runs code of the project, whatever the words behind it. */
export const RUNS: Verb = 'runs';
/** Asks a server and changes nothing. */
export const asks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({
  options,
  operands: 'text',
  network: true,
  ...more,
});
/** Changes nothing. */
export const looks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({
  options,
  operands: 'text',
  ...more,
});
/** Installs packages, whose scripts run. */
export const installs: Verb = {
  class: 'runs',
  network: true,
  loose: true,
  operands: 'text',
  why: 'installs packages and runs their scripts',
  handle: (call) => installing(call),
};
/** Runs a program of a package. */
export const executes: Verb = { class: 'runs', network: true, handle: (call) => executing(call) };

function installing(call: Call) {
  call.network();
  call.is('runs', `${call.name} installs packages and runs their scripts`);
}

export function executing(call: Call) {
  call.network();
  const program = call.rest.find((arg) => !arg.lead.startsWith('-'));
  if (program) call.opaque(program);
  call.is('runs', `${call.name} runs a program of a package, which may be fetched first`);
}
