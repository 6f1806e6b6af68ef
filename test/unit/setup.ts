// Run before each file: workers are shared by files, so that a hook of a module that they share would be the first one's alone.
import { afterEach } from 'vitest';
import { cleanUp } from './cleanup.ts';

afterEach(cleanUp);
