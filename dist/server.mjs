import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{serve}from"./chunk-20.mjs";import"./chunk-4.mjs";import"./chunk-10.mjs";import"./chunk-15.mjs";import{packageRoot}from"./chunk-5.mjs";import"./chunk-6.mjs";import"./chunk-2.mjs";await serve(packageRoot(import.meta.url));
