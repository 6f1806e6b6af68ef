import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MalformedInput,aliases,mainArgument,tools}from"./chunk-44.mjs";import"./chunk-39.mjs";import"./chunk-10.mjs";import"./chunk-26.mjs";import"./chunk-13.mjs";export{MalformedInput,aliases,mainArgument,tools};
