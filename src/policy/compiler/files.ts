// The places of the compiler's files: beside the sources during development, in dist/ and opa/ when installed.
import { join } from 'node:path';

/** Absolute paths of all files that a compiler process needs. */
export interface CompilerFiles {
  /** The script of the child process. */
  child: string;
  /** The compiler, compressed with brotli. */
  asset: string;
  /** SHA-256 of its raw bytes, in hex. */
  checksum: string;
}

/** The compiler's files below the root folder of an installed package. */
export function installedFiles(packageRoot: string): CompilerFiles {
  return filesOf(packageRoot, 'dist/compiler.mjs');
}

/** The compiler's files below the root folder of the sources. */
export function sourceFiles(packageRoot: string): CompilerFiles {
  return filesOf(packageRoot, 'src/policy/compiler/child.mjs');
}

/** The files that belong to the running code. Bundled code is not named files.ts. */
export function compilerFiles(packageRoot: string): CompilerFiles {
  const fromSource = typeof import.meta.url === 'string' && import.meta.url.endsWith('/src/policy/compiler/files.ts');
  return fromSource ? sourceFiles(packageRoot) : installedFiles(packageRoot);
}

function filesOf(packageRoot: string, child: string): CompilerFiles {
  return {
    child: join(packageRoot, child),
    asset: join(packageRoot, 'opa/opa.wasm.br'),
    checksum: join(packageRoot, 'opa/opa.wasm.sha256'),
  };
}
