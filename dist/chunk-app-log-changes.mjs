import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{classes,countChanges,countOf}from"./chunk-113.mjs";import"./chunk-111.mjs";import"./chunk-47.mjs";import"./chunk-44.mjs";import"./chunk-39.mjs";import"./chunk-10.mjs";import"./chunk-26.mjs";import"./chunk-4.mjs";import"./chunk-13.mjs";export{classes,countChanges,countOf};
