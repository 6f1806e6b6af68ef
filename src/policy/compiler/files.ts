// Where the compiler's parts lie: beside the sources while developing, in dist/ and opa/ when installed.
import { join } from 'node:path';

/** Absolute paths of everything that one compiler process needs. */
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

/** Whichever belongs to the code that asks: bundled code is not called files.ts any more. */
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
