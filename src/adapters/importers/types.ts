// What is taken over from another system: files to write, and what could not be taken over.

/** A file of the project; the name is relative to its root, with forward slashes. */
export interface NewFile {
  name: string;
  text: string;
}

/** Something that the other side says and this one cannot. What holds instead is the careful answer. */
export interface Left {
  /** Where it stands there: a mode, a file, a key. */
  at: string;
  what: string;
  /** What holds instead, or what a person can do. */
  instead: string;
}

/** A part that could not be read at all, so that nothing of it was taken over. */
export interface Fault {
  at: string;
  what: string;
}

export interface Transfer {
  /** What was read, relative to the root. */
  sources: string[];
  files: NewFile[];
  left: Left[];
  faults: Fault[];
}

/** Nothing to take over from, in words for a person: why, and what to do. */
export interface Refused {
  error: string;
}

/** The lists of a settings file. */
export interface Permissions {
  default?: 'pass' | 'ask' | 'deny';
  allow?: string[];
  ask?: string[];
  deny?: string[];
}
