// The journal's records of plans and tasks.

export interface PlanItem {
  text: string;
  /** Globs of the only files that may be written while this item is open; empty: no restriction. */
  files: string[];
}

/** A list that was proposed, or that a protocol contains. */
export interface PlanText {
  title: string;
  items: PlanItem[];
}

/** The task that the work is for. */
export interface Task {
  /** As typed: `NAME`, or `PARENT/NAME` for a subtask. */
  name: string;
  branch: string | null;
  /** Globs of the files that the task is limited to; empty: no limit. */
  scope: string[];
}

/** A change of the stack of plans, or of the task. */
export type WorkEvent =
  /** Starts a plan on top of the open ones, or in place of a complete one. `approved`: a person approved it in advance. */
  | { did: 'begin'; plan: PlanText; approved?: true; protocol?: string }
  /** Replaces the list on top. The approval of the old list is lost. */
  | { did: 'change'; plan: PlanText; approved?: true }
  /** A person's approval of the list on top. */
  | { did: 'approve'; hash: string }
  /** Items, counted from 0, that are done or open again. `close`: the plan ends with them. */
  | { did: 'check'; items: number[]; done: boolean; close?: boolean }
  | { did: 'close' }
  | { did: 'task'; task: Task | null };
