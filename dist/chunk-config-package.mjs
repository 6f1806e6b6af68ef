import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{packageRoot,readBuild}from"./chunk-37.mjs";import"./chunk-10.mjs";export{packageRoot,readBuild};
