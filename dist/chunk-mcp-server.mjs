import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{serve}from"./chunk-24.mjs";import"./chunk-19.mjs";import"./chunk-13.mjs";import"./chunk-7.mjs";import"./chunk-8.mjs";import"./chunk-2.mjs";export{serve};
