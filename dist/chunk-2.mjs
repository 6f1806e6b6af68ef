import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
var toJson=(value,indent)=>JSON.stringify(value,null,indent);export{toJson};
