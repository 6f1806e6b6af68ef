// Run before each file: workers are shared by files, so that a hook of a module that they share would be the first one's alone.
import { afterAll, afterEach } from 'vitest';
import { cleanUp, cleanUpFile } from './cleanup.ts';

afterEach(cleanUp);
afterAll(cleanUpFile);
