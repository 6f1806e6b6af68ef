import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-112.mjs";import"./chunk-110.mjs";import"./chunk-46.mjs";import"./chunk-43.mjs";import"./chunk-10.mjs";import"./chunk-26.mjs";import"./chunk-4.mjs";import"./chunk-13.mjs";export{classes,countChanges,countOf};
