import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{harnesses}from"./chunk-49.mjs";import"./chunk-40.mjs";import"./chunk-9.mjs";import"./chunk-24.mjs";import"./chunk-12.mjs";export{harnesses};
