// In each worker: tells where the copy of the plugin is, which the global set-up made.
import { inject } from 'vitest';

process.env.MODES_E2E_PLUGIN = inject('plugin');
// Where the machine names certificates of its own, Node reads them at every start, which takes longer than the start. No test meets them.
delete process.env.NODE_EXTRA_CA_CERTS;
