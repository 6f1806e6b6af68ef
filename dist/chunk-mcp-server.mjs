import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{readBuild,serve}from"./chunk-17.mjs";import"./chunk-4.mjs";import"./chunk-12.mjs";import"./chunk-5.mjs";import"./chunk-6.mjs";import"./chunk-2.mjs";export{readBuild,serve};
