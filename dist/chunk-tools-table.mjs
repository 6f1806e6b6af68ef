import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MalformedInput,aliases,mainArgument,tools}from"./chunk-35.mjs";import"./chunk-9.mjs";export{MalformedInput,aliases,mainArgument,tools};
