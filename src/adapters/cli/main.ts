// Entry point of the command line.
import { runProgram } from './run.ts';

await runProgram(process.argv.slice(2));
