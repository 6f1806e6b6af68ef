import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findReachable,readTopology}from"./chunk-26.mjs";import"./chunk-24.mjs";import"./chunk-54.mjs";import"./chunk-23.mjs";import"./chunk-25.mjs";import"./chunk-13.mjs";import"./chunk-11.mjs";import"./chunk-5.mjs";import"./chunk-12.mjs";export{findReachable,readTopology};
