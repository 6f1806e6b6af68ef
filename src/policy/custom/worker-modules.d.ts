// Types of the worker's plain JavaScript, for the TypeScript code that imports it.
declare module '*/builtins.mjs' {
  export const FIND_ENTRYPOINT: string;
  export const FIND_MODULE: string;
  export const NOT_REPLACED: RegExp;
  export const BUILTINS: Readonly<Record<string, unknown>>;
}

declare module '*/exchange.mjs' {
  export class Exchange {
    constructor(memory?: SharedArrayBuffer);
    readonly memory: SharedArrayBuffer;
    send(kind: number, content: string | Uint8Array): void;
    receive(limitMs?: number): { kind: number; bytes: Buffer } | null;
  }
  export const PLACE: number;
  export const READY: number;
  export const STEADY: string;
  export const RESULT: number;
  export const FAULT: number;
}

declare module '*/hosted.mjs' {
  export const HOSTED: Readonly<Record<string, unknown>>;
}

declare module '*/sprintf.mjs' {
  export function unsupportedVerb(format: string): string | null;
  export const SUPPORTED: string;
}

declare module '*/opa-client.mjs' {
  export class OpaClient {
    constructor(options: { ca: string | null; ownOnly?: boolean; deadlineMs: number; maxBytes: number });
    ask(question: {
      url: string;
      body: string;
      token: string | null;
    }): Promise<{ status: number; text: string; location: string } | { fault: string }>;
    close(): Promise<void>;
  }
}
