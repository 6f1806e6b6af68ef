import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{log,timeOf}from"./chunk-30.mjs";import"./chunk-31.mjs";import"./chunk-17.mjs";import"./chunk-27.mjs";import"./chunk-10.mjs";import"./chunk-1.mjs";import"./chunk-8.mjs";import"./chunk-9.mjs";import"./chunk-2.mjs";export{log,timeOf};
