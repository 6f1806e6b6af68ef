import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-87.mjs";import"./chunk-85.mjs";import"./chunk-34.mjs";import"./chunk-39.mjs";import"./chunk-23.mjs";import"./chunk-5.mjs";import"./chunk-10.mjs";export{classes,countChanges,countOf};
