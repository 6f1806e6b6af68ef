// Writes sbom.cdx.json (CycloneDX 1.6): all third-party code in the distributed files, npm packages in dist/ and Go modules in
// the compiler. It contains no time and no random number, so that it can be compared.
//
//   node scripts/sbom.mjs            write it
//   node scripts/sbom.mjs --check    fail if it does not match the bundles (exit 1)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSources } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (file) => readFileSync(join(root, file), 'utf8');
const target = 'sbom.cdx.json';

/** Folders of the packages that have code in dist/, relative to the root, sorted. */
async function bundledFolders() {
  const { metafiles } = await bundleSources();
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0)),
  );
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** A component of npm, with the hash of its archive that package-lock.json pins. */
function npmComponent(folder, lock) {
  const { name, version, license } = JSON.parse(read(`${folder}/package.json`));
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [, digest] = /^sha512-(.+)$/.exec(lock.packages[folder]?.integrity ?? '') ?? [];
  if (digest === undefined) throw new Error(`package-lock.json pins no archive of ${folder}`);
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: [/ (AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    purl,
  };
}

/** The modules that Go linked into the compiler, as NOTICE names them. `make check` keeps NOTICE consistent with opa/go.sum. */
function compilerComponents() {
  const go = read('opa/toolchain.txt').trim().replace(/^go/, '');
  const named = new Set(
    [...read('NOTICE').matchAll(/^\* (\S+\.\S+\/\S+) (v\S+)$/gm)].map(([, name, version]) => `${name} ${version}`),
  );
  if (named.size === 0) throw new Error('NOTICE names no module of the compiler');
  const modules = [...named].sort().map((line) => line.split(' '));
  return [['std', go], ...modules].map(([name, version]) => {
    const purl = `pkg:golang/${name}@${version}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl };
  });
}

async function makeSbom() {
  const { name, version, description, license } = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  const components = [...(await bundledFolders()).map((folder) => npmComponent(folder, lock)), ...compilerComponents()];
  const unique = [...new Map(components.map((one) => [one.purl, one])).values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const purl = `pkg:npm/${name}@${version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl,
      },
    },
    components: unique,
    dependencies: [
      { ref: purl, dependsOn: unique.map((one) => one.purl) },
      ...unique.map((one) => ({ ref: one.purl, dependsOn: [] })),
    ],
  };
}

const sbom = await makeSbom();
const text = `${JSON.stringify(sbom, null, 2)}\n`;
if (process.argv.includes('--check')) {
  if (!existsSync(join(root, target)) || read(target) !== text) {
    console.error(`${target} is not what is bundled: run \`make sbom\` and commit it`);
    process.exitCode = 1;
  }
} else writeFileSync(join(root, target), text);
console.log(`sbom: ${sbom.components.length} components`);
