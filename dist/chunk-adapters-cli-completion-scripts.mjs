import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{hiddenVerb,scripts,shells}from"./chunk-5.mjs";import"./chunk-11.mjs";export{hiddenVerb,scripts,shells};
