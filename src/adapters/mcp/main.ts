// Entry point of the server process.
import { packageRoot } from '../../platform/package.ts';
import { dropOddZone } from '../../platform/time-zone.ts';
import { serve } from './server.ts';

dropOddZone(process.env);
await serve(packageRoot(import.meta.url));
// What is no longer used is collected when the memory has grown by this much: it stays small beside the client for as long as that runs.
// Not before the start is over, in which all that is loaded stays.
const { setFlagsFromString } = await import('node:v8');
setFlagsFromString('--heap-growing-percent=30');
