import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{harnesses}from"./chunk-120.mjs";import"./chunk-39.mjs";import"./chunk-9.mjs";import"./chunk-24.mjs";import"./chunk-12.mjs";export{harnesses};
