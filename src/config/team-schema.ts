// The schema of teams.yaml. It is the only source of validation and of the published schema.
import * as z from 'zod/mini';
import { ENFORCEMENTS } from './mode-schema.ts';
import { advise, DURATION, FILLED, matching, needed, optional, record } from './parts.ts';

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

/** Only the beginning is checked here. The reader of addresses reports everything else. */
const ADDRESS = matching(/^\s*[Hh][Tt][Tt][Pp][Ss]?:/);

const SERVER = {
  url: needed(ADDRESS, 'its address: https, or http on this machine.'),
  token: optional(FILLED, 'a file with the token for Authorization: Bearer.'),
  ca: optional(FILLED, "a file with the certificates (PEM) of the server's authority."),
  proxy: optional(ADDRESS, 'the proxy (default: HTTPS_PROXY and NO_PROXY).'),
};

const BUNDLE = record(
  {
    ...SERVER,
    key: needed(FILLED, 'a file with the public key (PEM), or with the secret of an HS algorithm.'),
    algorithm: needed(z.enum(ALGORITHMS), 'the algorithm of the key.'),
    key_id: optional(FILLED, 'the name of the key, if the signature names one.'),
    scope: optional(FILLED, 'the scope that the bundle must be signed for.'),
    every: optional(DURATION, 'how often the server is asked (default: 60s).'),
    wait: optional(DURATION, 'how long the server may delay its answer to wait for a new bundle.'),
    good_for: optional(DURATION, 'how long the last bundle is valid if the server is unreachable (default: 7d).'),
    stale: optional(
      z.enum(STALE),
      'the effect after that: narrow (default: only its deny and ask rules apply), keep, or refuse.',
    ),
  },
  { alg: 'Use "algorithm".', keyid: 'Use "key_id".', max_age: 'Use "good_for".' },
);

/** JSON pointers to values that may be left out of an event. */
export const MASKED = /^\/(input|result|labels)(\/|$)/;

const LOGS = record({
  ...SERVER,
  every: optional(DURATION, 'how often decisions are sent (default: 30s).'),
  mask: optional(z.array(matching(MASKED)), 'JSON pointers to data that does not leave this machine: /input/bash.'),
});

/** The fallback if the server gives no usable verdict. */
export const FALLBACKS = ['local', 'deny'] as const;

/** Sources of verdicts. */
export const EVALUATORS = ['local', 'opa'] as const;

const OPA = record(
  {
    url: needed(
      matching(/^\s*([Hh][Tt][Tt][Pp][Ss]?:|unix:\/\/\/)/),
      'its address: https, or http or unix:///… on this machine; "{mode}" is replaced with the name of the mode.',
    ),
    deadline: optional(DURATION, 'the longest that a decision waits for it (default: 250ms; at most 1s).'),
    token: SERVER.token,
    ca: SERVER.ca,
    check: optional(
      z.boolean(),
      'true: the policy of this machine decides as well, the stricter decision counts, and a difference is reported.',
    ),
    fallback: optional(z.enum(FALLBACKS), 'the fallback when it has no valid verdict: local (default), or deny.'),
  },
  { timeout: 'Use "deadline".', token_file: 'Use "token".', ca_file: 'Use "ca".' },
);

const MAY = (what: string) => optional(z.boolean(), `false: no one ${what}.`);

/** teams.yaml */
export const TEAM = z.nullable(
  record(
    {
      bundle: optional(BUNDLE, 'a signed bundle that is a layer of the organization.'),
      modes: optional(z.array(FILLED), 'modes that every project must have.'),
      enforcement: optional(z.enum(ENFORCEMENTS), 'the weakest enforcement that a mode or CI may set.'),
      authority: optional(
        record({
          force: MAY('changes the mode without its gate'),
          grant: MAY('grants what rules refuse'),
          off: MAY('switches rules off'),
          approve: MAY('approves changes that need a person'),
          trust: MAY('approves a configuration'),
        }),
        'actions that people may take here (default: all).',
      ),
      logs: optional(LOGS, 'the server that decisions are sent to.'),
      evaluator: optional(z.enum(EVALUATORS), 'the evaluator: local (default), or opa, the server that "opa" names.'),
      opa: optional(OPA, 'a stock OPA server that evaluates the policy.'),
    },
    advise(['allow', 'deny'], 'Write permissions into settings.<mode>.json.'),
  ),
);
