import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,nearestProject,projectAt,realOf}from"./chunk-43.mjs";import"./chunk-7.mjs";import"./chunk-8.mjs";import"./chunk-11.mjs";export{findProject,nearestProject,projectAt,realOf};
