import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,nearestProject,projectAt,realOf}from"./chunk-47.mjs";import"./chunk-8.mjs";import"./chunk-9.mjs";import"./chunk-12.mjs";export{findProject,nearestProject,projectAt,realOf};
