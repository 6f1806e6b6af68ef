import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-107.mjs";import"./chunk-105.mjs";import"./chunk-42.mjs";import"./chunk-41.mjs";import"./chunk-9.mjs";import"./chunk-25.mjs";import"./chunk-5.mjs";import"./chunk-12.mjs";export{classes,countChanges,countOf};
