import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,startOf}from"./chunk-36.mjs";import"./chunk-30.mjs";import"./chunk-9.mjs";export{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,startOf};
