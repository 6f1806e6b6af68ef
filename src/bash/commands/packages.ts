// packages
import type { CommandEntry } from '../registry.ts';

export const packages: CommandEntry[] = [];
