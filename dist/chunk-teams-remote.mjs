import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{connect,getBundle,post,putBundle}from"./chunk-44.mjs";import"./chunk-9.mjs";import"./chunk-12.mjs";import"./chunk-5.mjs";import"./chunk-6.mjs";export{connect,getBundle,post,putBundle};
