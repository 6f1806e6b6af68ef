import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{MAX_FILE_BYTES,MAX_MODES_BYTES,readConfigFile,refuseOwner}from"./chunk-16.mjs";import"./chunk-17.mjs";import"./chunk-4.mjs";import"./chunk-11.mjs";export{MAX_FILE_BYTES,MAX_MODES_BYTES,readConfigFile,refuseOwner};
