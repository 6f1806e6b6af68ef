// Entry point of the server process.
import v8 from 'node:v8';
import { packageRoot } from '../config/package.ts';
import { serve } from './server.ts';

// What is no longer used is collected when the memory has grown by this much: it stays small beside the client for as long as that runs.
v8.setFlagsFromString('--heap-growing-percent=30');
await serve(packageRoot(import.meta.url));
