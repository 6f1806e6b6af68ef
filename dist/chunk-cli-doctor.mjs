import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{doctor,surroundingsOf}from"./chunk-25.mjs";import"./chunk-26.mjs";import"./chunk-10.mjs";import"./chunk-1.mjs";import"./chunk-8.mjs";import"./chunk-9.mjs";import"./chunk-2.mjs";export{doctor,surroundingsOf};
