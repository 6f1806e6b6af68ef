import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{serve}from"./chunk-22.mjs";import"./chunk-17.mjs";import"./chunk-10.mjs";import"./chunk-6.mjs";import"./chunk-7.mjs";import"./chunk-2.mjs";export{serve};
