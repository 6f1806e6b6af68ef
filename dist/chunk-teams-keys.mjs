import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{ALGORITHMS,isAlgorithm,signingKey,verifyingKey}from"./chunk-52.mjs";import"./chunk-14.mjs";import"./chunk-4.mjs";import"./chunk-11.mjs";export{ALGORITHMS,isAlgorithm,signingKey,verifyingKey};
