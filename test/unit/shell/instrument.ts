// Watches which option tables and options a judgement uses, and can blind it to one of them.
import type { Given, OptionSpec, OptionTable, ParseStyle } from '../../../src/shell/options.ts';

type Options = typeof import('../../../src/shell/options.ts');

export const probe = {
  /** Tables and options that were used since it was emptied. */
  touched: new Set<object>(),
  /** An option that nobody gets to see. */
  hidden: null as OptionSpec | null,
  /** A table whose unlisted options pass. */
  lax: null as OptionTable | null,
  /** A table for which a word that may become an option is no concern. */
  trusting: null as OptionTable | null,
};

/** The module of option tables, watched. */
export function instrument(real: Options): Options {
  return {
    ...real,
    table(text) {
      const t = real.table(text);
      // An object of its own for each letter of a cluster.
      for (const map of [t.short, t.long]) for (const [name, spec] of map) map.set(name, { ...spec });
      return t;
    },
    parseOptions(args, t, style?: ParseStyle, from?: number): Given {
      const given = real.parseOptions(args, t, style, from);
      probe.touched.add(t);
      for (const o of given.options) probe.touched.add(o.spec);
      if (probe.hidden) given.options = given.options.filter((o) => o.spec !== probe.hidden);
      if (probe.lax === t) given.problem = null;
      if (probe.trusting === t) given.flaggy = null;
      return given;
    },
  };
}
