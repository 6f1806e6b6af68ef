// What a person downloads: the repository as the client clones it, and the package as npm packs it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { Bench } from './row.ts';

export const measure: Bench = async () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && fs.existsSync(file));
  const packed = tracked.filter((file) => shipped().some((part) => file === part || file.startsWith(`${part}/`)));
  return [
    {
      what: 'the repository as it is cloned, with tests and docs, without history',
      budget: '',
      measured: megabytes(tracked),
      holds: null,
    },
    {
      what: 'plugin folder: what of it runs, package.json `files`',
      budget: '≤ 15 MB',
      measured: megabytes(packed),
      holds: bytesOf(packed) <= 15e6,
    },
    { what: 'dist/', budget: '', measured: megabytes(tracked.filter((file) => file.startsWith('dist/'))), holds: null },
  ];
};

function shipped(): string[] {
  return (JSON.parse(fs.readFileSync('package.json', 'utf8')) as { files: string[] }).files;
}

function megabytes(files: string[]): string {
  return `${(bytesOf(files) / 1e6).toFixed(1)} MB in ${files.length} files`;
}

function bytesOf(files: string[]): number {
  return files.reduce((sum, file) => sum + fs.statSync(file).size, 0);
}
