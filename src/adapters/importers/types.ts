// Result of an import: files to write, and parts that could not be imported.

/** A file of the project; the name is relative to its root, with forward slashes. */
export interface NewFile {
  name: string;
  text: string;
}

/** A setting of the other system that cannot be expressed here. The stricter equivalent is used. */
export interface Left {
  /** Its place in the other system: a mode, a file, a key. */
  at: string;
  what: string;
  /** The replacement, or what a person can do. */
  instead: string;
}

/** A part that could not be read at all, so nothing of it was imported. */
export interface Fault {
  at: string;
  what: string;
}

export interface Transfer {
  /** Files that were read, relative to the root. */
  sources: string[];
  files: NewFile[];
  left: Left[];
  faults: Fault[];
}

/** Nothing to import: the reason and the remedy, as a text for a person. */
export interface NotImported {
  error: string;
}

/** The lists of a settings file. */
export interface Permissions {
  default?: 'pass' | 'ask' | 'deny';
  allow?: string[];
  ask?: string[];
  deny?: string[];
}
