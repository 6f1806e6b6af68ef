import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MalformedInput,aliases,mainArgument,tools}from"./chunk-42.mjs";import"./chunk-8.mjs";import"./chunk-24.mjs";import"./chunk-11.mjs";export{MalformedInput,aliases,mainArgument,tools};
