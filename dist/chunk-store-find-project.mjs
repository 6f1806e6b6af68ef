import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,nearestProject,projectAt}from"./chunk-50.mjs";import"./chunk-40.mjs";import"./chunk-8.mjs";import"./chunk-9.mjs";import"./chunk-10.mjs";import"./chunk-13.mjs";export{findProject,nearestProject,projectAt};
