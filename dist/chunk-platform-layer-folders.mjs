import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{FOLDER_LAYERS,PROJECT_SHOWN,isOpenToOthers,isTrustedOwner,layerFolders,projectLayer}from"./chunk-20.mjs";import"./chunk-13.mjs";export{FOLDER_LAYERS,PROJECT_SHOWN,isOpenToOthers,isTrustedOwner,layerFolders,projectLayer};
