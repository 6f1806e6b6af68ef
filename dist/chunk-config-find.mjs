import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,realOf}from"./chunk-36.mjs";import"./chunk-13.mjs";import"./chunk-6.mjs";export{findProject,realOf};
