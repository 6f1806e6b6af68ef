// Where a policy is found among those of a configuration. No mode is called so: its name has neither sign.
export const policyKeys = {
  /** What a mode's rules say before they are weakened to notes; there only where they are. */
  strict: (key: string): string => `${key}!`,
  /** A mode's rules with what its `agents:` take from this type; there only where that is more than a mode. */
  agent: (mode: string, type: string): string => `${mode}@${type}`,
  isMode: (key: string): boolean => !/[!@]/.test(key),
  modeOf: (key: string): string => key.replace(/[!@].*$/, ''),
};
