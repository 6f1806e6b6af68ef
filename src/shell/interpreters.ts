/** Programs that run the file that their words name, also under a name with a version: `python3.12`. */
const interpreters =
  /^(?:\.|source|(?:ba|rba|da|z|k|mk|a)?sh|fish|pwsh|powershell|(?:python|pypy|ruby|perl|php|lua|luajit|node)[\d.]*|nodejs|py|bun|deno|tsx|ts-node|vite-node|babel-node|jiti|zx|Rscript|julia|java|groovy|tclsh|expect|osascript)$/;

/** @param name a program without its folder */
export function isInterpreter(name: string): boolean {
  return interpreters.test(name);
}
