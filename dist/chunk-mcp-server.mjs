import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{serve}from"./chunk-30.mjs";import"./chunk-18.mjs";import"./chunk-25.mjs";import"./chunk-7.mjs";import"./chunk-8.mjs";import"./chunk-2.mjs";export{serve};
