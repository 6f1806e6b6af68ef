import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{doctor,surroundingsOf}from"./chunk-16.mjs";import"./chunk-17.mjs";import"./chunk-5.mjs";import"./chunk-1.mjs";import"./chunk-6.mjs";import"./chunk-7.mjs";import"./chunk-2.mjs";export{doctor,surroundingsOf};
