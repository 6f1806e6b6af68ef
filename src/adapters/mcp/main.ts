// Entry point of the server process.
import { packageRoot } from '../../platform/package.ts';
import { dropOddZone } from '../../platform/time-zone.ts';
import { serve } from './server.ts';

dropOddZone(process.env);
await serve(packageRoot(import.meta.url));
// Collects garbage when the memory has grown by this percentage: the server runs as long as the client and must stay small beside
// it. Set only after the start, because everything that is loaded then stays.
const { setFlagsFromString } = await import('node:v8');
setFlagsFromString('--heap-growing-percent=30');
