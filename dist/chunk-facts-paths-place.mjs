import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,real,startOf}from"./chunk-36.mjs";import"./chunk-37.mjs";import"./chunk-12.mjs";export{configFolderOf,dataFolderOf,homeOf,managedFolders,placeOf,real,startOf};
