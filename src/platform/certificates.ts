// Whether the environment adds to the certificates that vouch for a server of teams.yaml.

/** Variables by which Node takes in others than its own. */
const ADDING = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'];

/**
 * A project's settings fill the environment too: with a certificate and a proxy of its own it would read what is sent, tokens too, and
 * answer for the server. So where this is true, only Node's own certificates and those of teams.yaml count.
 */
export function addsCertificates(env: NodeJS.ProcessEnv = process.env): boolean {
  return ADDING.some((name) => (env[name] ?? '') !== '');
}
