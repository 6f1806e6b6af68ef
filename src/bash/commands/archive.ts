// archive
import type { CommandEntry } from '../registry.ts';

export const archive: CommandEntry[] = [];
