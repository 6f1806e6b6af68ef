// In each worker: tells where the copy of the plugin is, which the global set-up made.
import { inject } from 'vitest';

process.env.MODES_E2E_PLUGIN = inject('plugin');
