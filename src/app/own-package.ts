// The installed package: its folder and its compiler.
import path from 'node:path';
import { dataFolderOf } from '../facts/paths/place.ts';
import { packageRoot } from '../platform/package.ts';
import { type Compiler, PATIENT_MS, sharedCompiler } from '../policy/compiler/compiler.ts';
import { compilerFiles } from '../policy/compiler/files.ts';

export function findPackageRoot(): string {
  return packageRoot(import.meta.url);
}

export function openCompiler(): Compiler {
  const cacheFolder = path.join(dataFolderOf(process.env), 'cache');
  return sharedCompiler({ files: compilerFiles(findPackageRoot()), cacheFolder, timeoutMs: PATIENT_MS });
}
