// What the journal records of plans and tasks.

export interface PlanItem {
  text: string;
  /** Globs of the only files that are written while this item is open; empty: it bounds nothing. */
  files: string[];
}

/** A list as it was proposed, or as a protocol brings it. */
export interface PlanText {
  title: string;
  items: PlanItem[];
}

/** A task that work is done for. */
export interface Task {
  /** As typed: `NAME`, or `PARENT/NAME` of a subtask. */
  name: string;
  branch: string | null;
  /** Globs of the files that it is about; empty: all. */
  scope: string[];
}

/** Something that happened to the stack of plans, or to the task. */
export type WorkEvent =
  /** Begins a plan above those that are open; one that is complete gives its place to it. `approved`: a person said yes before. */
  | { did: 'begin'; plan: PlanText; approved?: true; protocol?: string }
  /** Puts another list in the place of the topmost one, whose approval it loses. */
  | { did: 'change'; plan: PlanText; approved?: true }
  /** A person's yes to the topmost list. */
  | { did: 'approve'; hash: string }
  /** Items, from 0, that are done or open again; `close`: and with them the plan is. */
  | { did: 'check'; items: number[]; done: boolean; close?: boolean }
  | { did: 'close' }
  | { did: 'task'; task: Task | null };
