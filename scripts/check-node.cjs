// Reports a Node that is too old for this project. Written in JavaScript that an old Node understands.
const wanted = [20, 11];
const present = process.versions.node.split('.').map(Number);
if (present[0] < wanted[0] || (present[0] === wanted[0] && present[1] < wanted[1])) {
  console.error(`Modes needs Node ${wanted.join('.')} or newer; ${process.execPath} is ${process.version}.`);
  console.error('Install a newer one from https://nodejs.org and try again.');
  process.exit(1);
}
