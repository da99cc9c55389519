/** Counts the bytes that the library reads of logs: the one place where that is said, for tests and the bench. */
export class LogBytes {
  #read = 0

  get read(): number {
    return this.#read
  }

  add(bytes: number): void {
    this.#read += bytes
  }
}
