import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);
import{serve}from"./chunk-SINRKXXF.mjs";import"./chunk-54J2UOYJ.mjs";import"./chunk-GY2DDSPA.mjs";import{packageRoot}from"./chunk-Y6TIDINU.mjs";import"./chunk-74U5HPOX.mjs";import"./chunk-KWIZ2RQR.mjs";await serve(packageRoot(import.meta.url));
