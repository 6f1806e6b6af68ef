// runners
import type { CommandEntry } from '../registry.ts';

export const runners: CommandEntry[] = [];
