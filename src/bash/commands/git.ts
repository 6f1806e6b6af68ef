// git
import type { CommandEntry } from '../registry.ts';

export const git: CommandEntry[] = [];
