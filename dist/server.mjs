import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{serve}from"./chunk-28.mjs";import"./chunk-17.mjs";import"./chunk-23.mjs";import{packageRoot}from"./chunk-7.mjs";import"./chunk-8.mjs";import"./chunk-2.mjs";await serve(packageRoot(import.meta.url));
