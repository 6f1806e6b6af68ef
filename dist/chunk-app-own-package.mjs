import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findPackageRoot,openCompiler}from"./chunk-33.mjs";import"./chunk-34.mjs";import"./chunk-35.mjs";import"./chunk-36.mjs";import"./chunk-37.mjs";import"./chunk-12.mjs";export{findPackageRoot,openCompiler};
