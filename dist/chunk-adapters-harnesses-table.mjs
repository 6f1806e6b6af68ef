import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{harnesses}from"./chunk-55.mjs";import"./chunk-44.mjs";import"./chunk-39.mjs";import"./chunk-10.mjs";import"./chunk-26.mjs";import"./chunk-13.mjs";export{harnesses};
