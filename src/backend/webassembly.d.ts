/** What is used of WebAssembly: Node has it, its types have not (they are among those of browsers). */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Memory {
    readonly buffer: ArrayBuffer
    /** Adds pages of 64 KiB; a buffer taken before is empty from then on. */
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module)
    readonly exports: unknown
  }
}

/** Compiled by `webassembly-text.js` when it is built. */
declare module '*.wat' {
  const module: WebAssembly.Module
  export default module
}
