// The shape of teams.yaml. It is the only source of validation and of the published schema.
import { ENFORCEMENTS } from './mode-shapes.ts';
import type { KeyShape, RecordShape, TextShape } from './shape.ts';

export const ALGORITHMS = [
  'EdDSA',
  'ES256',
  'ES384',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'HS256',
  'HS384',
  'HS512',
] as const;

/** The effect of a bundle after its server was not reached for too long. */
export const STALE = ['narrow', 'keep', 'refuse'] as const;
export type Stale = (typeof STALE)[number];

/** Actions that a person may take after a confirmation in a dialog or in a terminal. Each has its own commands. */
export const AUTHORITIES = ['force', 'grant', 'off', 'approve', 'trust'] as const;
export type TeamAuthority = (typeof AUTHORITIES)[number];

const FILLED: TextShape = { kind: 'text', filled: true };
const TIME: TextShape = { kind: 'text', filled: true, pattern: '^\\s*[1-9][0-9]{0,5}\\s*(ms|s|m|h|d)\\s*$' };

function record(keys: Record<string, KeyShape>, instead: Record<string, string> = {}): RecordShape {
  return {
    kind: 'record',
    keys: new Map(Object.entries(keys)),
    later: new Set(),
    instead: new Map(Object.entries(instead)),
  };
}

/** Only the beginning is checked here. The reader of addresses reports everything else. */
const ADDRESS: TextShape = { ...FILLED, pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?:' };

const SERVER: Record<string, KeyShape> = {
  url: { shape: ADDRESS, required: true, about: 'its address: https, or http on this machine.' },
  token: { shape: FILLED, about: 'a file with the token for Authorization: Bearer.' },
  ca: { shape: FILLED, about: "a file with the certificates (PEM) of the server's authority." },
  proxy: { shape: ADDRESS, about: 'the proxy (default: HTTPS_PROXY and NO_PROXY).' },
};

const BUNDLE = record(
  {
    ...SERVER,
    key: { shape: FILLED, required: true, about: 'a file with the public key (PEM), or with the secret of an HS algorithm.' },
    algorithm: { shape: { kind: 'text', oneOf: ALGORITHMS }, required: true, about: 'the algorithm of the key.' },
    key_id: { shape: FILLED, about: 'the name of the key, if the signature names one.' },
    scope: { shape: FILLED, about: 'the scope that the bundle must be signed for.' },
    every: { shape: TIME, about: 'how often the server is asked (default: 60s).' },
    wait: { shape: TIME, about: 'how long the server may delay its answer to wait for a new bundle.' },
    good_for: { shape: TIME, about: 'how long the last bundle is valid if the server is unreachable (default: 7d).' },
    stale: {
      shape: { kind: 'text', oneOf: STALE },
      about: 'the effect after that: narrow (default: only its deny and ask rules apply), keep, or refuse.',
    },
  },
  { alg: 'Use "algorithm".', keyid: 'Use "key_id".', max_age: 'Use "good_for".' },
);

/** JSON pointers to values that may be left out of an event. */
export const MASKED = /^\/(input|result|labels)(\/|$)/;

const LOGS = record({
  ...SERVER,
  every: { shape: TIME, about: 'how often decisions are sent (default: 30s).' },
  mask: {
    shape: { kind: 'list', of: { ...FILLED, pattern: MASKED.source } },
    about: 'JSON pointers to data that does not leave this machine: /input/bash.',
  },
});

/** What happens if the server gives no usable verdict. */
export const FALLBACKS = ['local', 'deny'] as const;

/** Sources of verdicts. */
export const EVALUATORS = ['local', 'opa'] as const;

const OPA = record(
  {
    url: {
      shape: { ...FILLED, pattern: '^\\s*([Hh][Tt][Tt][Pp][Ss]?:|unix:///)' },
      required: true,
      about: 'its address: https, or http or unix:///… on this machine; "{mode}" is replaced with the name of the mode.',
    },
    deadline: { shape: TIME, about: 'the longest that a decision waits for it (default: 250ms; at most 1s).' },
    token: SERVER.token!,
    ca: SERVER.ca!,
    check: {
      shape: { kind: 'flag' },
      about: 'true: the policy of this machine decides as well, the stricter decision counts, and a difference is reported.',
    },
    fallback: {
      shape: { kind: 'text', oneOf: FALLBACKS },
      about: 'the fallback when it has no valid verdict: local (default), or deny.',
    },
  },
  { timeout: 'Use "deadline".', token_file: 'Use "token".', ca_file: 'Use "ca".' },
);

const MAY = (what: string): KeyShape => ({ shape: { kind: 'flag' }, about: `false: no one ${what}.` });

/** teams.yaml */
export const TEAM_SHAPE: RecordShape = {
  ...record(
    {
      bundle: { shape: BUNDLE, about: 'a signed bundle that is a layer of the organization.' },
      modes: { shape: { kind: 'list', of: FILLED }, about: 'modes that every project must have.' },
      enforcement: {
        shape: { kind: 'text', oneOf: ENFORCEMENTS },
        about: 'the weakest enforcement that a mode or CI may set.',
      },
      authority: {
        shape: record({
          force: MAY('changes the mode without its gate'),
          grant: MAY('grants what rules refuse'),
          off: MAY('switches rules off'),
          approve: MAY('approves changes that need a person'),
          trust: MAY('approves a configuration'),
        }),
        about: 'actions that people may take here (default: all).',
      },
      logs: { shape: LOGS, about: 'the server that decisions are sent to.' },
      evaluator: {
        shape: { kind: 'text', oneOf: EVALUATORS },
        about: 'the evaluator: local (default), or opa, the server that "opa" names.',
      },
      opa: { shape: OPA, about: 'a stock OPA server that evaluates the policy.' },
    },
    { allow: 'Write permissions into settings.<mode>.json.', deny: 'Write permissions into settings.<mode>.json.' },
  ),
  nullable: true,
};
