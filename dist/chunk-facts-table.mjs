import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MalformedInput,aliases,mainArgument,tools}from"./chunk-41.mjs";import"./chunk-9.mjs";import"./chunk-25.mjs";import"./chunk-12.mjs";export{MalformedInput,aliases,mainArgument,tools};
