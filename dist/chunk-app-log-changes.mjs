import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-91.mjs";import"./chunk-89.mjs";import"./chunk-39.mjs";import"./chunk-42.mjs";import"./chunk-8.mjs";import"./chunk-24.mjs";import"./chunk-4.mjs";import"./chunk-11.mjs";export{classes,countChanges,countOf};
