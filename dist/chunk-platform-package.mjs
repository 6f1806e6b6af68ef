import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{packageRoot,readBuild}from"./chunk-36.mjs";import"./chunk-13.mjs";export{packageRoot,readBuild};
