import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import fs from"node:fs";function attempt(ask){try{return ask()}catch(error){if(typeof error.code==="string")return null;throw error}}function statOf(name){return attempt(()=>fs.lstatSync(name,{throwIfNoEntry:false})??null)}export{attempt,statOf};
