import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{check,readCall}from"./chunk-6.mjs";import"./chunk-7.mjs";import"./chunk-10.mjs";import"./chunk-1.mjs";import"./chunk-8.mjs";import"./chunk-9.mjs";import"./chunk-2.mjs";export{check,readCall};
