import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MalformedInput,aliases,mainArgument,tools}from"./chunk-39.mjs";import"./chunk-23.mjs";import"./chunk-10.mjs";export{MalformedInput,aliases,mainArgument,tools};
