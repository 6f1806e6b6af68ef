import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-86.mjs";import"./chunk-84.mjs";import"./chunk-33.mjs";import"./chunk-38.mjs";import"./chunk-23.mjs";import"./chunk-5.mjs";import"./chunk-10.mjs";export{classes,countChanges,countOf};
