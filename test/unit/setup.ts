// Run before each file: workers are shared by files, so that a hook of a module that they share would be the first one's alone.
import { afterAll, afterEach } from 'vitest';
import { cleanUp, cleanUpFile } from './cleanup.ts';

// Where the machine names certificates of its own, Node reads them at every start, which takes longer than the start. No test meets them.
delete process.env.NODE_EXTRA_CA_CERTS;
afterEach(cleanUp);
afterAll(cleanUpFile);
