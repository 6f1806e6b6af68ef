import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{ownRoot,requireProject,startFolder}from"./chunk-GXC3Q5IV.mjs";import"./chunk-BHIFGDWW.mjs";import"./chunk-Y6TIDINU.mjs";import"./chunk-74U5HPOX.mjs";import"./chunk-KWIZ2RQR.mjs";export{ownRoot,requireProject,startFolder};
