// system
import type { CommandEntry } from '../registry.ts';

export const system: CommandEntry[] = [];
