// Writes NOTICE: every package that esbuild puts into dist/, and everything that Go links into the Rego compiler, with license texts.
//
//   node scripts/notice.mjs            write NOTICE; needs Go only when opa/ changed
//   node scripts/notice.mjs --check    report differences (exit 1)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSources } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (file) => readFileSync(join(root, file), 'utf8');

const HEAD = `Modes
Copyright 2026 The Modes authors

Licensed under the Apache License, Version 2.0; the text is in the file LICENSE. The software below is contained in what is
distributed, under the licences that stand with it.`;

const IN_BUNDLES = 'Contained in dist/*.mjs and dist/*.cjs';
const IN_COMPILER =
  'Contained in opa/opa.wasm.br, and the WebAssembly runtime part of it in dist/core.wasm and every compiled policy';

/** RE2's sources refer to a LICENSE file that OPA's module does not contain; this is its text. */
const RE2 = `Copyright (c) 2009 The RE2 Authors. All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are
met:

   * Redistributions of source code must retain the above copyright
notice, this list of conditions and the following disclaimer.
   * Redistributions in binary form must reproduce the above
copyright notice, this list of conditions and the following disclaimer
in the documentation and/or other materials provided with the
distribution.
   * Neither the name of Google Inc. nor the names of its
contributors may be used to endorse or promote products derived from
this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS
"AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR
A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
OWNER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT
LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

const isLicence = (name) => /^(licen[sc]e|copying|notice|patents)([.-].*)?$/i.test(name);

/** Texts of the license files directly in a folder. */
function licenceTexts(folder) {
  return readdirSync(folder)
    .filter(isLicence)
    .sort()
    .map((name) => tidy(readFileSync(join(folder, name), 'utf8')));
}

function tidy(text) {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/** Packages without a license file, and a package by the same author with the same license. */
const sameTerms = new Map([['@nodable/entities', 'fast-xml-parser']]);

/** @returns {Promise<{name: string, texts: string[]}[]>} the npm packages that have code in dist/ */
async function bundledPackages() {
  const { metafiles } = await bundleSources();
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(read(`${folder}/package.json`));
    const texts = licenceTexts(join(root, sameTerms.has(name) ? `node_modules/${sameTerms.get(name)}` : folder));
    if (texts.length === 0) throw new Error(`${name} has no licence file`);
    return { name: `${name} ${version} (${license})`, texts };
  });
}

/** Modules that Go links into the compiler; null without Go, or if Go cannot list them. */
function linkedModules() {
  const format = '{{.Dir}}\t{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}';
  const env = { ...process.env, GOOS: 'wasip1', GOARCH: 'wasm', GOTOOLCHAIN: 'local' };
  const go = (...args) =>
    execFileSync('go', args, { cwd: join(root, 'opa'), env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  let listed;
  let goRoot;
  try {
    listed = go('list', '-deps', '-f', format, '.');
    goRoot = go('env', 'GOROOT').trim();
  } catch (error) {
    console.error(
      `not checked against Go: ${
        String(error.stderr || error.message)
          .trim()
          .split('\n')[0]
      }`,
    );
    return null;
  }
  const modules = new Map([['Go standard library (BSD-3-Clause)', new Set(licenceTexts(goRoot))]]);
  let opa = '';
  for (const line of listed.trimEnd().split('\n')) {
    const [folder, path, version, top] = line.split('\t');
    if (!path || !version) continue;
    if (path === 'github.com/open-policy-agent/opa') opa = top;
    const texts = modules.get(`${path} ${version}`) ?? new Set();
    modules.set(`${path} ${version}`, texts);
    for (let at = folder; at.length >= top.length; at = dirname(at)) for (const text of licenceTexts(at)) texts.add(text);
  }
  return [
    ...[...modules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, texts]) => ({ name, texts: [...texts] })),
    { name: "OPA's WebAssembly runtime, RE2 (BSD-3-Clause)", texts: [RE2] },
    ...runtimeNotices(join(opa, 'wasm/src')),
  ];
}

/** The license comments of the C and C++ sources that OPA compiles into every policy, without duplicates. */
function runtimeNotices(folder) {
  const found = new Map();
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => ['.c', '.cc', '.h'].includes(extname(name)))
    .sort();
  for (const file of files) {
    const source = readFileSync(join(folder, file), 'utf8');
    const comments = source.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [];
    for (const comment of comments.filter((text) => /copyright|public domain/i.test(text))) {
      if (/The RE2 Authors/.test(comment)) continue;
      const bare = comment.replace(/^[ \t]*(\/\*+|\*+\/|\*|\/\/)[ \t]?/gm, '').replace(/\*+\/\s*$/, '');
      const text = tidy(bare.replace(/^[-=/*]+$/gm, ''));
      const key = text.replace(/\s+/g, ' ').toLowerCase();
      const name = file.startsWith('libmpdec/') ? 'libmpdec (BSD-2-Clause)' : file;
      if (!found.has(key)) found.set(key, { name: `OPA's WebAssembly runtime, ${name}`, texts: [text] });
    }
  }
  return [...found.values()];
}

/** A section: each text once, under the names of all components with it. */
function section(title, components) {
  const named = new Map();
  for (const { name, texts } of components) for (const text of texts) named.set(text, [...(named.get(text) ?? []), name]);
  const apache = tidy(read('LICENSE')).replace(/\s+/g, ' ');
  const parts = [...named].map(([text, names]) => {
    const shown = text.replace(/\s+/g, ' ').startsWith(apache.slice(0, 9000))
      ? 'Apache License, Version 2.0: see LICENSE.'
      : text;
    return { names, shown };
  });
  const merged = new Map();
  for (const { names, shown } of parts) merged.set(shown, [...new Set([...(merged.get(shown) ?? []), ...names])]);
  const blocks = [...merged].map(
    ([shown, names]) => `${names.map((name) => `* ${name}`).join('\n')}\n\n${shown.replace(/^(?=.)/gm, '    ')}`,
  );
  return `${'='.repeat(100)}\n${title}\n${'='.repeat(100)}\n\n${blocks.join(`\n\n${'-'.repeat(100)}\n\n`)}`;
}

/** Ties the compiler's section to its modules, so that it can be checked without Go. */
function compilerTitle() {
  const sum = createHash('sha256').update(read('opa/go.sum')).digest('hex');
  return `${IN_COMPILER}\n(modules of go.sum, sha256 ${sum})`;
}

/** The compiler's section of the present NOTICE, if it was made from the present go.sum; else null. */
function presentCompilerSection() {
  if (!existsSync(join(root, 'NOTICE'))) return null;
  const text = read('NOTICE');
  const start = text.indexOf(`${'='.repeat(100)}\n${compilerTitle()}\n`);
  return start === -1 ? null : text.slice(start).trimEnd();
}

const linked = linkedModules();
const compiler = linked === null ? presentCompilerSection() : section(compilerTitle(), linked);
if (compiler === null) {
  console.error('opa/go.sum is not the one NOTICE was made from: run `make notice` on a machine with Go');
  process.exit(1);
}
const packages = await bundledPackages();
const notice = `${HEAD}\n\n${section(IN_BUNDLES, packages)}\n\n${compiler}\n`;

if (process.argv.includes('--check')) {
  const present = existsSync(join(root, 'NOTICE')) ? read('NOTICE') : '';
  if (present !== notice) {
    console.error('NOTICE is not what is bundled: run `make notice` and commit it');
    process.exit(1);
  }
} else {
  writeFileSync(join(root, 'NOTICE'), notice);
}
const parts = linked === null ? 'the compiler as recorded' : `${linked.length} parts of the compiler`;
console.log(`${packages.length} bundled packages, ${parts}`);
