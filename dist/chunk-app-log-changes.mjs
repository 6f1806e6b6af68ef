import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-101.mjs";import"./chunk-99.mjs";import"./chunk-43.mjs";import"./chunk-40.mjs";import"./chunk-9.mjs";import"./chunk-25.mjs";import"./chunk-5.mjs";import"./chunk-12.mjs";export{classes,countChanges,countOf};
