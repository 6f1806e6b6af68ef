import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-88.mjs";import"./chunk-86.mjs";import"./chunk-35.mjs";import"./chunk-40.mjs";import"./chunk-24.mjs";import"./chunk-5.mjs";import"./chunk-8.mjs";import"./chunk-11.mjs";export{classes,countChanges,countOf};
