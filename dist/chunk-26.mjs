import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
var agentParam="agent",defaultAgent="general-purpose";function foldedAgent(name){return name.normalize("NFKC").toLowerCase().replace(/[\s_\p{Dash}]/gu,"")}function isCallable(name){return/^[^\s*,"'`@]+$/.test(name)}export{agentParam,defaultAgent,foldedAgent,isCallable};
