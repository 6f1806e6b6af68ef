import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-81.mjs";import"./chunk-79.mjs";import"./chunk-30.mjs";import"./chunk-34.mjs";import"./chunk-5.mjs";import"./chunk-8.mjs";export{classes,countChanges,countOf};
