import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{ALGORITHMS,isAlgorithm,signingKey,verifyingKey}from"./chunk-57.mjs";import"./chunk-16.mjs";import"./chunk-5.mjs";import"./chunk-12.mjs";export{ALGORITHMS,isAlgorithm,signingKey,verifyingKey};
