import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,real,startOf}from"./chunk-37.mjs";import"./chunk-38.mjs";import"./chunk-40.mjs";import"./chunk-39.mjs";import"./chunk-13.mjs";export{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,real,startOf};
