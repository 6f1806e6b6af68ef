// Entry point of the command line.
import { runProgram } from './program.ts';

await runProgram(process.argv.slice(2));
