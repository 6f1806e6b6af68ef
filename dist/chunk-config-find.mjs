import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,realOf}from"./chunk-37.mjs";import"./chunk-7.mjs";import"./chunk-9.mjs";export{findProject,realOf};
