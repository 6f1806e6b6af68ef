import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,startOf}from"./chunk-35.mjs";import"./chunk-29.mjs";import"./chunk-8.mjs";export{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,startOf};
