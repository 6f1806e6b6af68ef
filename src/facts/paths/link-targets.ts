// A symbolic link is a second name. So a command that creates or moves a link also accesses the link's target.
import fs from 'node:fs';
import path from 'node:path';
import { linkText, trackedFiles } from '../../git/index-file.ts';
import { repositoryOf } from '../../git/repository.ts';
import type { BashFacts, BashTarget, BashWrite, LinkTo, NewLinks } from '../../model/command.ts';
import { belowOf, inside, under } from '../../platform/path-text.ts';
import { attempt, statOf } from '../../platform/stat.ts';
import { settled } from '../../shell/targets.ts';
import { type Load, loadsIn, namedAt } from './arrivals.ts';
import { expandGlob, type List, maxMatches, maxNames, walkBelow } from './below.ts';
import { diskLinks, type LinkReader, resolveNames } from './resolve.ts';

/** The additional accesses that a write of a command causes through links. */
export interface LinkTargets {
  /** Targets of links that appear there. */
  targets: readonly { path: string; extent: BashWrite['extent'] }[];
  /** False: other links may also appear there. */
  areKnown: boolean;
}

const nothing: LinkTargets = { targets: [], areKnown: true };
const unknown: LinkTargets = { targets: [], areKnown: false };
/** Maximum number of different link targets of one command. Beyond it, the targets are unknown. */
const maxTargets = 200;
/** Maximum number of places to search for links, per command. A name that leads below itself produces ever longer places. */
const maxPlaces = 16;
/** Subcommands of git that may change the contents of the index. */
const changesIndex =
  /^git\b.*\b(?:update-index|read-tree|reset|add|stage|rm|mv|apply|am|stash|checkout|switch|restore|merge|pull|rebase|cherry-pick|revert|commit)\b/;

/** A symbolic link that a command brings: its name at the new place, and its text. */
interface Brought {
  name: string;
  text: string;
}

/** Returns, for each write of a text, the link targets that it brings. */
export function linkTargetsIn(
  facts: BashFacts,
  { links = diskLinks, list, budget = { left: maxNames } }: { links?: LinkReader; list?: List; budget?: { left: number } },
): (target: BashWrite) => LinkTargets {
  const makers = facts.writes.filter(({ links }) => links !== undefined);
  if (makers.length === 0) return () => nothing;
  const loads = loadsIn(facts, links);
  const searchCounts = new Map<number, number>();
  const at = new LinkSearch(facts, makers, { links, list, budget });
  return (target) => {
    if (isLinkTo(target.links))
      return at.mayBe(target.links.name, target)
        ? { targets: [{ path: target.path, extent: at.extentOf(target) }], areKnown: true }
        : nothing;
    switch (target.links) {
      case undefined:
      case 'made':
        return nothing;
      case 'any':
        return unknown;
      case 'tracked':
        return at.tracked(target);
      case 'sources': {
        const before = searchCounts.get(target.command) ?? 0;
        searchCounts.set(target.command, before + 1);
        return before < maxPlaces ? at.brought(target, loads(target)) : unknown;
      }
    }
  };
}

interface LinkContext {
  links: LinkReader;
  list: List | undefined;
  budget: { left: number };
}

class LinkSearch {
  constructor(
    private readonly facts: BashFacts,
    private readonly makers: readonly BashWrite[],
    private readonly context: LinkContext,
  ) {}

  /** True if another command of the text creates, moves or removes something at the path, below it or above it. */
  private isDisturbed(name: string, { command }: BashWrite): boolean {
    const place = settled(name);
    return this.facts.writes.some((other) => {
      if (other.command === command || isLinkTo(other.links)) return false;
      const its = settled(other.path);
      return inside(its, place) || inside(place, its);
    });
  }

  /**
   * A command such as `ln -s a b` creates `b`, or `b/a` if `b` is a folder. False for the name that the disk rules out.
   * If another command of the text writes there, both names are possible.
   */
  mayBe(name: string, target: BashWrite): boolean {
    const names = this.makers.flatMap(({ command, links }) =>
      isLinkTo(links) && command === target.command ? settled(links.name) : [],
    );
    const own = settled(name);
    const folder = path.dirname(own);
    if (names.includes(folder)) return this.isFolder(folder) || this.isDisturbed(folder, target);
    const isEither = names.some((other) => path.dirname(other) === own);
    // With -n, a link to a folder is replaced, and nothing is created below it.
    return !isEither || statOf(own)?.isDirectory() !== true || this.isDisturbed(own, target);
  }

  extentOf({ path: at, extent }: BashWrite): BashWrite['extent'] {
    if (extent === 'glob') return extent;
    const { real, unresolved } = resolveNames(at, '/', this.context.links);
    return !unresolved && this.isFolder(real) ? 'deep' : 'one';
  }

  private isFolder(name: string): boolean {
    return attempt(() => fs.statSync(name, { throwIfNoEntry: false })?.isDirectory()) ?? false;
  }

  /** Links among the copied or moved files. A relative link is resolved from its new folder. */
  brought(target: BashWrite, load: Load): LinkTargets {
    const sources = namedAt(target, load);
    const out = new Map<string, LinkTargets['targets'][number]>();
    let areKnown = sources.length > 0;
    for (const source of sources) {
      const tops = source.extent === 'glob' ? expandGlob(source.path, maxMatches, this.context.list) : [source.path];
      if (tops === null) areKnown = false;
      if (this.comesFromUnknown(source)) areKnown = false;
      const made = this.madeAt(source);
      for (const top of tops ?? [])
        for (const place of this.placesOf(top, source, target)) {
          const brought = made.map(({ name, text }) => ({ name: movedTo(place, name, settled(source.path)), text }));
          if (!this.linksBelow(top, place, brought)) areKnown = false;
          for (const link of brought) {
            for (const at of this.leadsTo(link, top, place))
              out.set(at, { path: at, extent: this.extentOf({ ...target, path: at, extent: 'deep' }) });
            if (out.size > maxTargets) return unknown;
          }
        }
    }
    return { targets: [...out.values()], areKnown };
  }

  /** True if another command of the text may have brought unknown links to the source before. */
  private comesFromUnknown(source: BashTarget): boolean {
    const place = settled(source.path);
    return this.makers.some(({ command, links, path: at }) => {
      if (command === source.command || (links !== 'any' && links !== 'tracked')) return false;
      return inside(settled(at), place) || inside(place, settled(at));
    });
  }

  /** Links that other commands of the text create at the source or below it. */
  private madeAt(source: BashTarget): Brought[] {
    const place = settled(source.path);
    const isGlob = source.extent === 'glob';
    const folder = isGlob ? settled(place.slice(0, place.search(/(?<![^/])[^/]*[*?[]/)) || '/') : place;
    return this.makers.flatMap(({ command, links }) =>
      isLinkTo(links) && command !== source.command && inside(settled(links.name), folder)
        ? [{ name: settled(links.name), text: links.text }]
        : [],
    );
  }

  /** The places where a source may appear. */
  private placesOf(top: string, source: BashTarget, target: BashWrite): string[] {
    const name = path.basename(settled(top));
    const isContent = /(?:^|\/)\.{1,2}\/*$/.test(source.path) && source.extent !== 'glob';
    const at = settled(target.path);
    if (target.extent === 'glob') return [under(path.dirname(at), name)];
    if (isContent || (target.via === 'rsync' && /\/$/.test(source.path))) return [at];
    if (target.via === 'rsync' && this.isFolder(top)) return [under(at, name)];
    if (path.basename(at) === name && target.via !== 'rsync') return [at];
    if (this.isFolder(at)) return this.isDisturbed(at, target) ? [at, under(at, name)] : [under(at, name)];
    return target.via === 'rsync' || this.isDisturbed(at, target) || target.path.endsWith('/') ? [at, under(at, name)] : [at];
  }

  /** Adds the links at or below a name. False if there are more names than the budget, or a link cannot be read. */
  private linksBelow(top: string, place: string, into: Brought[]): boolean {
    const base = settled(top);
    const text = this.textOf(base);
    if (typeof text === 'string') {
      into.push({ name: place, text });
      return true;
    }
    if (text === undefined) return true;
    let isComplete = true;
    const enter = (folder: string) => (name: string, isFolder: boolean, isLink: boolean) => {
      if (isFolder || !isLink) return undefined;
      const at = under(folder, name);
      const leads = this.textOf(at);
      if (typeof leads === 'string') into.push({ name: under(place, belowOf(at, base)), text: leads });
      else isComplete = false;
      return undefined;
    };
    return walkBelow(base, enter, this.context.budget, this.context.list) && isComplete;
  }

  private textOf(name: string): string | null | undefined {
    return attempt(() => this.context.links.readLink(name)) ?? null;
  }

  /** The targets of a link from its new place. Empty if the target is inside the moved tree. */
  private leadsTo({ name, text }: Brought, top: string, place: string): string[] {
    const written = text.startsWith('/') ? text : `${path.dirname(name)}/${text}`;
    const base = settled(top);
    const moved: LinkReader = {
      readLink: (at) =>
        inside(at, place)
          ? this.context.links.readLink(at === place ? base : under(base, belowOf(at, place)))
          : this.context.links.readLink(at),
    };
    const { real, unresolved } = resolveNames(written, '/', moved);
    if (unresolved) return [written];
    if (real !== place && inside(real, place)) return [];
    const onDisk = resolveNames(written, '/', this.context.links);
    return onDisk.real === real ? [written] : [written, real];
  }

  /** Links that git tracks at or below a path, according to the index. */
  tracked(target: BashWrite): LinkTargets {
    const { commands } = this.facts;
    if (commands.some(({ argv }, at) => at !== target.command && changesIndex.test(argv.join(' ')))) return unknown;
    const at = settled(target.path);
    const repository = repositoryOf(path.dirname(at));
    if (repository === null) return nothing;
    try {
      const { links } = trackedFiles(repository.gitDir);
      const out: LinkTargets['targets'][number][] = [];
      for (const [name, id] of links) {
        const place = under(repository.top, name);
        if (!inside(place, at) && !inside(place, resolveNames(at, '/', this.context.links).real)) continue;
        const text = linkText(repository.common, id);
        if (text === null || out.length >= maxTargets) return unknown;
        const leads = text.startsWith('/') ? text : `${path.dirname(place)}/${text}`;
        out.push({ path: leads, extent: this.extentOf({ ...target, path: leads, extent: 'deep' }) });
      }
      return { targets: out, areKnown: true };
    } catch {
      // An index that cannot be parsed may contain any link.
      return unknown;
    }
  }
}

function isLinkTo(links: NewLinks | undefined): links is LinkTo {
  return typeof links === 'object';
}

/** The same path below another folder. */
function movedTo(place: string, name: string, base: string): string {
  return inside(name, base) && name !== base ? under(place, belowOf(name, base)) : place;
}
