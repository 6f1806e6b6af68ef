import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MalformedInput,aliases,mainArgument,tools}from"./chunk-34.mjs";import"./chunk-8.mjs";export{MalformedInput,aliases,mainArgument,tools};
