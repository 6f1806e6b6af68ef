// Keys of the policies of a configuration. No mode has such a name, since names of modes contain neither sign.
export const policyKeys = {
  /** The rules of a mode before they are weakened to notes. It exists only if they are weakened. */
  strict: (key: string): string => `${key}!`,
  /** The rules of a mode with the limits of `agents:` for this type. It exists only if the entry has more than a mode. */
  agent: (mode: string, type: string): string => `${mode}@${type}`,
  isMode: (key: string): boolean => !/[!@]/.test(key),
  modeOf: (key: string): string => key.replace(/[!@].*$/, ''),
};
