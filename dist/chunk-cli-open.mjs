import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findProject,governed,ownRoot,requireProject,startFolder}from"./chunk-10.mjs";import"./chunk-1.mjs";import"./chunk-8.mjs";import"./chunk-9.mjs";import"./chunk-2.mjs";export{findProject,governed,ownRoot,requireProject,startFolder};
