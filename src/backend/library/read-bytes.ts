/** Counts the bytes of logs that the library reads, for tests and the benchmark. */
export class ReadBytes {
  #read = 0

  get read(): number {
    return this.#read
  }

  add(bytes: number): void {
    this.#read += bytes
  }
}
