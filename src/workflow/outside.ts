// A session in a folder without modes. Its calls are decided only where they touch a governed project.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { combineProjects } from '../engine/combine.ts';
import { passEvent } from '../engine/decide.ts';
import { joinInterests } from '../engine/policies.ts';
import { toolCall } from '../facts/call.ts';
import { collectFacts, type WorkedIn } from '../facts/collect.ts';
import { type Place, placeOf } from '../facts/paths/place.ts';
import { MalformedInput } from '../facts/table.ts';
import type { Decision } from '../model/decision.ts';
import type { ToolCall } from '../model/facts.ts';
import { markAround, OtherProjects, type Touching } from './other-projects.ts';
import { type CallerProject, callerOf, otherProject, type Project, type ProjectOptions } from './project.ts';

/** `project`: the one that decided. null: the call touches no project, or none of them denies or asks. */
export interface OutsideDecision {
  decision: Decision;
  project: CallerProject | null;
}

export class UngovernedFolder {
  readonly place: Place;
  private readonly others: OtherProjects<Project>;

  constructor(open: ProjectOptions) {
    this.place = placeOf(open.start, open.env, open.packageRoot);
    this.others = new OtherProjects(this.place, null, (location) => otherProject(location, open));
  }

  async decideEvent(event: Record<string, unknown>): Promise<OutsideDecision> {
    const call = callOf(event);
    if (call === null) return { decision: passEvent('', randomUUID), project: null };
    const touched = this.others.touchedBy(this.touching(call));
    const first = this.decideCall(call, touched);
    return (await this.others.load()) ? this.decideCall(call, touched) : first;
  }

  private decideCall(call: ToolCall, touched: readonly Project[]): OutsideDecision {
    const { decision, project } = combineProjects(passEvent(call.tool, randomUUID), this.others.decide(call, touched));
    return { decision, project: project?.for(callerOf(call)) ?? null };
  }

  /** The call's reads, writes and working folders, collected without any rule. */
  private touching(call: ToolCall): Touching {
    const workedIn: WorkedIn = [];
    const state = { since: null, enteredBy: null };
    const pathFilter = joinInterests([]);
    const { place } = this;
    try {
      const facts = collectFacts(
        call,
        { place, mode: '', commands: [], pathFilter: pathFilter, state, wantsInput: false },
        workedIn,
      );
      return { facts, workedIn, call };
    } catch (error) {
      // This folder has no rule that could deny the malformed call.
      if (error instanceof MalformedInput) return { facts: null, workedIn: [[call.cwd]], call };
      throw error;
    }
  }

  /** Roots of the governed projects below the folder. */
  nested(): readonly string[] {
    return this.others.below(this.place.root);
  }

  /** Lets the shell client ask about calls of this folder even if no server is running. Throws if the disk refuses. */
  mark(): void {
    markAround(this.place.dataFolder, this.nested());
  }

  /** The notice about projects below, for a session that starts here; '' if there are none. */
  describeNested(): string {
    const roots = this.nested();
    if (roots.length === 0) return '';
    const named = roots.slice(0, maxNamed).map((root) => path.relative(this.place.root, root));
    const more = roots.length > maxNamed ? ` and ${roots.length - maxNamed} more` : '';
    return `This folder has no modes, but it contains governed projects: ${named.join(', ')}${more}. The current mode of such a project decides calls that read, write or work in it. To work on one, start the client in its folder.`;
  }
}

const maxNamed = 10;

function callOf(event: Record<string, unknown>): ToolCall | null {
  try {
    return toolCall(event);
  } catch (error) {
    if (error instanceof MalformedInput) return null;
    throw error;
  }
}
