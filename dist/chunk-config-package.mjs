import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{packageRoot,readBuild}from"./chunk-38.mjs";import"./chunk-10.mjs";export{packageRoot,readBuild};
