import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{ALGORITHMS,isAlgorithm,signingKey,verifyingKey}from"./chunk-60.mjs";import"./chunk-17.mjs";import"./chunk-4.mjs";import"./chunk-13.mjs";export{ALGORITHMS,isAlgorithm,signingKey,verifyingKey};
