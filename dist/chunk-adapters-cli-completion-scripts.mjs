import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{hiddenVerb,scripts,shells}from"./chunk-6.mjs";import"./chunk-13.mjs";export{hiddenVerb,scripts,shells};
