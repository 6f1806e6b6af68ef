import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{packageRoot,readBuild}from"./chunk-35.mjs";import"./chunk-12.mjs";export{packageRoot,readBuild};
