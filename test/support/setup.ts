// Runs before each test file. Files share workers, so a hook in a shared module would run for the first file only.
import { afterAll, afterEach } from 'vitest';
import { cleanUp, cleanUpFile } from './cleanup.ts';

// Where the machine names certificates of its own, Node reads them at every start, which takes longer than the start. No test meets them.
delete process.env.NODE_EXTRA_CA_CERTS;
afterEach(cleanUp);
afterAll(cleanUpFile);
