import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-94.mjs";import"./chunk-92.mjs";import"./chunk-42.mjs";import"./chunk-39.mjs";import"./chunk-9.mjs";import"./chunk-24.mjs";import"./chunk-5.mjs";import"./chunk-12.mjs";export{classes,countChanges,countOf};
