import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,nearestProject,projectAt}from"./chunk-49.mjs";import"./chunk-39.mjs";import"./chunk-8.mjs";import"./chunk-9.mjs";import"./chunk-10.mjs";import"./chunk-13.mjs";export{findProject,nearestProject,projectAt};
