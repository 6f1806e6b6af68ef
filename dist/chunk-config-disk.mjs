import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MAX_FILE_BYTES,MAX_MODES_BYTES,readConfigFile,refuseOwner}from"./chunk-19.mjs";import"./chunk-20.mjs";import"./chunk-4.mjs";import"./chunk-13.mjs";export{MAX_FILE_BYTES,MAX_MODES_BYTES,readConfigFile,refuseOwner};
