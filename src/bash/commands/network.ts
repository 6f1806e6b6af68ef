// network
import type { CommandEntry } from '../registry.ts';

export const network: CommandEntry[] = [];
