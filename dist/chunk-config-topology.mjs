import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{findReachable,readTopology}from"./chunk-27.mjs";import"./chunk-25.mjs";import"./chunk-57.mjs";import"./chunk-24.mjs";import"./chunk-26.mjs";import"./chunk-14.mjs";import"./chunk-12.mjs";import"./chunk-4.mjs";import"./chunk-13.mjs";export{findReachable,readTopology};
