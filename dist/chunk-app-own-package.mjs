import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findPackageRoot,openCompiler}from"./chunk-34.mjs";import"./chunk-35.mjs";import"./chunk-36.mjs";import"./chunk-37.mjs";import"./chunk-38.mjs";import"./chunk-40.mjs";import"./chunk-39.mjs";import"./chunk-13.mjs";export{findPackageRoot,openCompiler};
