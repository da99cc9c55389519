/** The part of WebAssembly that is used. @types/node has no types for it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Memory {
    readonly buffer: ArrayBuffer
    /** Adds pages of 64 KiB and detaches the old buffer. */
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module)
    readonly exports: unknown
  }
}

/** Compiled by `webassembly-text.js` at build time. */
declare module '*.wat' {
  const module: WebAssembly.Module
  export default module
}
