import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{FOLDER_LAYERS,PROJECT_SHOWN,isOpenToOthers,isTrustedOwner,layerFolders,projectLayer}from"./chunk-19.mjs";import"./chunk-12.mjs";export{FOLDER_LAYERS,PROJECT_SHOWN,isOpenToOthers,isTrustedOwner,layerFolders,projectLayer};
