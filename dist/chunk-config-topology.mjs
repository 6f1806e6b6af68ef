import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findReachable,readTopology}from"./chunk-22.mjs";import"./chunk-21.mjs";import"./chunk-20.mjs";import"./chunk-23.mjs";import"./chunk-9.mjs";import"./chunk-5.mjs";import"./chunk-10.mjs";export{findReachable,readTopology};
