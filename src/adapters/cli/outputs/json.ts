// The --json output of verbs. Only types come from the schemas, so no verb loads zod.
import type { Outputs } from './schemas.ts';

/** A value of a schema's type. Its lists may be read-only, and an object of any keys may be of any type. */
type GivenOutput<T> = T extends readonly (infer Item)[]
  ? readonly GivenOutput<Item>[]
  : T extends object
    ? unknown extends T[keyof T]
      ? object
      : { readonly [Key in keyof T]: GivenOutput<T[Key]> }
    : T;

/** The output of a verb as JSON. Its type is that of the published schema. */
export const toJson = <Verb extends keyof Outputs>(value: GivenOutput<Outputs[Verb]>, indent?: number): string =>
  JSON.stringify(value, null, indent);
