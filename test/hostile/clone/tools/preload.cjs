// Hostile test data: what a program started with a repository's NODE_OPTIONS would run.
require('node:fs').appendFileSync(require('node:path').join(__dirname, '../preloaded'), `${process.argv[1]}\n`);
