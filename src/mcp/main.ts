// Entry point of the server process.
import { packageRoot } from '../config/package.ts';
import { serve } from './server.ts';

await serve(packageRoot(import.meta.url));
