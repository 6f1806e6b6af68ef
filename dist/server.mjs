import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{serve}from"./chunk-24.mjs";import"./chunk-19.mjs";import"./chunk-13.mjs";import{packageRoot}from"./chunk-7.mjs";import"./chunk-8.mjs";import"./chunk-2.mjs";await serve(packageRoot(import.meta.url));
