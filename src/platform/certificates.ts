// Detects an environment that adds certificates to those that authenticate a server of teams.yaml.

/** Variables that make Node accept certificates other than its built-in ones. */
const ADDING = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'];

/**
 * A project's settings can set environment variables. With its own certificate and proxy, a project could read the data sent to
 * the server, including tokens, and answer in place of the server. So if this is true, only Node's built-in certificates and
 * those of teams.yaml are accepted.
 */
export function addsCertificates(env: NodeJS.ProcessEnv = process.env): boolean {
  return ADDING.some((name) => (env[name] ?? '') !== '');
}
