import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-102.mjs";import"./chunk-100.mjs";import"./chunk-44.mjs";import"./chunk-41.mjs";import"./chunk-9.mjs";import"./chunk-25.mjs";import"./chunk-5.mjs";import"./chunk-12.mjs";export{classes,countChanges,countOf};
