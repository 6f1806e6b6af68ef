import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,realOf}from"./chunk-40.mjs";import"./chunk-7.mjs";import"./chunk-10.mjs";export{findProject,realOf};
