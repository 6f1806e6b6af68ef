import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
function isObject(value){return typeof value=="object"&&value!==null&&!Array.isArray(value)}function parseObject(text){try{let value=JSON.parse(text);return isObject(value)?value:null}catch{return null}}export{isObject,parseObject};
