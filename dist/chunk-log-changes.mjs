import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-83.mjs";import"./chunk-81.mjs";import"./chunk-31.mjs";import"./chunk-35.mjs";import"./chunk-5.mjs";import"./chunk-9.mjs";export{classes,countChanges,countOf};
