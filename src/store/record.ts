// Records: the JSON files in the data folder. Each kind is declared once, with its schema, version and limit. The type of its
// values is inferred from the schema.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { createWhole, makeFolder, newestFirst, writeWhole } from '../platform/data-folder.ts';
import { NotReadable, readRegularText } from '../platform/read-file.ts';

/** The state of a record on disk. Its readers decide what each state means, so none of them is lost in a `null` by accident. */
export type RecordState<T> =
  | { state: 'whole'; value: T }
  | { state: 'absent' }
  /** Not JSON, of another shape, or with a wrong hash. */
  | { state: 'damaged' }
  /** Written by a later version of Modes. This version must not overwrite it. */
  | { state: 'later' }
  /** The file system refuses it, or it is too large or not a regular file. */
  | { state: 'refused'; error: Error };

interface Declaration<Schema extends z.ZodMiniType> {
  /** The fields without the version. It accepts fields that it does not know, and keeps them. */
  schema: Schema;
  /** `none`: the format has no version. */
  version?: 1 | 'none';
  /** A larger file is neither read nor written. */
  maxBytes?: number;
  /** A link in the place of the file is refused. */
  noFollow?: boolean;
  /** For a file that people read. */
  indent?: number;
  /** The first line of the file is this hash of the rest. */
  hash?(json: string, file: string): string;
  /** It can be made again, and a hash shows if it is torn. So it is not synced. */
  isCache?: true;
}

/** Largest record by default, in bytes. */
const usualBytes = 16_777_216;

/** One kind of record. A file is always written completely or not at all. */
export class RecordKind<Schema extends z.ZodMiniType> {
  constructor(private readonly declared: Declaration<Schema>) {}

  state(file: string): RecordState<z.output<Schema>> {
    const { maxBytes = usualBytes, noFollow = false } = this.declared;
    let text: string;
    try {
      text = readRegularText(file, maxBytes, { noFollow });
    } catch (error) {
      const isAbsent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
      return isAbsent ? { state: 'absent' } : { state: 'refused', error: error as Error };
    }
    try {
      return this.parsed(text, file);
    } catch {
      // Not JSON, or nested too deeply to be parsed.
      return { state: 'damaged' };
    }
  }

  /** null unless the record is whole. For records that permit nothing if they are missing. */
  read(file: string): z.output<Schema> | null {
    const found = this.state(file);
    return found.state === 'whole' ? found.value : null;
  }

  /** null if the record is absent. Throws if it cannot be read for another reason: LaterVersion, or an error with the file. */
  demand(file: string): z.output<Schema> | null {
    const found = this.state(file);
    if (found.state === 'whole') return found.value;
    if (found.state === 'absent') return null;
    if (found.state === 'refused') throw found.error;
    throw found.state === 'later' ? new LaterVersion(file) : new Error(`${file} is damaged`);
  }

  /** Throws LaterVersion if a later version wrote the file. */
  refuseLater(file: string): void {
    if (this.state(file).state === 'later') throw new LaterVersion(file);
  }

  /** Throws if the disk refuses, or NotReadable (EFBIG) if the record would be too large to read. */
  write(file: string, value: Given<z.output<Schema>>): void {
    const text = this.text(file, value);
    makeFolder(path.dirname(file));
    writeWhole(file, text, this.declared.isCache !== true);
  }

  /** The same if there is no file yet. False: another process was first. */
  create(file: string, value: Given<z.output<Schema>>): boolean {
    const text = this.text(file, value);
    makeFolder(path.dirname(file));
    return createWhole(file, text);
  }

  /** The text of the file. */
  text(file: string, value: Given<z.output<Schema>>): string {
    const { schema, version = 1, maxBytes = usualBytes, indent, hash } = this.declared;
    const fields = z.encode(schema, value as z.output<Schema>) as object;
    const json = JSON.stringify(version === 'none' ? fields : { version, ...fields }, null, indent);
    const text = hash === undefined ? json : `${hash(json, file)}\n${json}`;
    if (Buffer.byteLength(text) > maxBytes) throw new NotReadable('EFBIG', `${file} would be larger than ${maxBytes} bytes`);
    return text;
  }

  private parsed(text: string, file: string): RecordState<z.output<Schema>> {
    const { schema, version = 1, hash } = this.declared;
    const end = hash === undefined ? 0 : text.indexOf('\n') + 1;
    const json = text.slice(end);
    if (hash !== undefined && text.slice(0, end) !== `${hash(json, file)}\n`) return { state: 'damaged' };
    const value: unknown = JSON.parse(json);
    if (version !== 'none') {
      const { version: found } = (value ?? {}) as { version?: unknown };
      if (typeof found === 'number' && found > version) return { state: 'later' };
      if (found !== version) return { state: 'damaged' };
    }
    const { success, data } = z.safeDecode(schema, value as z.input<Schema>);
    return success ? { state: 'whole', value: data } : { state: 'damaged' };
  }
}

/** A later version of Modes wrote this record. `message` includes the remedy, `short` does not. */
export class LaterVersion extends Error {
  readonly code = 'E_LATER_VERSION';
  readonly remedy = 'Use that version, or move the file.';
  readonly short: string;

  constructor(file: string) {
    const short = `${file} was written by a later version of Modes.`;
    super(short);
    this.short = short;
    this.message = `${short} ${this.remedy}`;
  }
}

/** The type of a record's values. */
export type RecordOf<Kind> = Kind extends RecordKind<infer Schema> ? z.output<Schema> : never;

/** A value that is only written. */
export type Given<T> =
  T extends ReadonlyMap<infer Name, infer Value> ? ReadonlyMap<Name, Value> : { readonly [Key in keyof T]: Given<T[Key]> };

/** An object that may also have fields that only a later version knows. They are kept, but are not part of the type. */
export const fields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodMiniObject<Shape>;

/** Checks a value but does not copy it, so that its keys keep their order. For values that are part of a hash or of a cache key. */
export const uncopied = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.custom<z.output<Schema>>((value) => z.safeParse(schema, value).success);

/** A map, stored as a list of pairs. */
export const pairs = <Value extends z.ZodMiniType>(value: Value) =>
  z.codec(z.array(z.tuple([z.string(), value])), z.custom<ReadonlyMap<string, z.output<Value>>>(), {
    decode: (list) => new Map(list as [string, z.output<Value>][]),
    encode: (map) => [...map] as never,
  });

/** A session without a server that was last recorded longer ago counts as ended. */
const silentMs = 7 * 24 * 60 * 60 * 1000;
/** Number of records that a sweep checks, and number of new records after which one runs. */
const swept = 500;
const sweepEvery = 50;

/**
 * Removes records of ended sessions, the oldest first, if a folder with one file for each session has more than `most`. Half as
 * many stay. Returns true if the folder was checked.
 */
export function sweepSessions(folder: string, dataFolder: string, most: number, now: number): boolean {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  if (names.length <= most || names.length % sweepEvery !== 0) return false;
  const oldest = newestFirst(folder, names.slice(0, swept)).reverse();
  for (const { name, at } of oldest.slice(0, names.length - most / 2)) {
    const isServed = fs.existsSync(path.join(dataFolder, 'sessions', path.basename(name, '.json')));
    if (now - at > silentMs && !isServed) fs.rmSync(path.join(folder, name), { force: true });
  }
  return true;
}
