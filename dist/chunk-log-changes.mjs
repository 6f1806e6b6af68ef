import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-54.mjs";import"./chunk-52.mjs";import"./chunk-15.mjs";import"./chunk-21.mjs";import"./chunk-4.mjs";import"./chunk-6.mjs";export{classes,countChanges,countOf};
