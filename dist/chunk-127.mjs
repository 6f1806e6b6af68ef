import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
async function*linesOf(input){input.setEncoding("utf8");let partial=[],length=0;for await(let chunk of input){let parts=chunk.split(`
`);for(let[index,part]of parts.entries())length+=part.length,length<=33554432&&partial.push(part),index!==parts.length-1&&(yield length>33554432?null:partial.join(""),partial=[],length=0)}length>0&&(yield length>33554432?null:partial.join(""))}export{linesOf};
