import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{harnesses}from"./chunk-52.mjs";import"./chunk-41.mjs";import"./chunk-9.mjs";import"./chunk-25.mjs";import"./chunk-12.mjs";export{harnesses};
