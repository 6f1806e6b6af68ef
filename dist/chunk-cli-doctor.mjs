import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{doctor,surroundingsOf}from"./chunk-18.mjs";import"./chunk-19.mjs";import"./chunk-6.mjs";import"./chunk-1.mjs";import"./chunk-7.mjs";import"./chunk-8.mjs";import"./chunk-2.mjs";export{doctor,surroundingsOf};
