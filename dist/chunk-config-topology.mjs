import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findReachable,readTopology}from"./chunk-23.mjs";import"./chunk-22.mjs";import"./chunk-21.mjs";import"./chunk-24.mjs";import"./chunk-10.mjs";import"./chunk-4.mjs";import"./chunk-11.mjs";export{findReachable,readTopology};
