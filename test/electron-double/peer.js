/**
 * One end of the pipe between the process that plays Electron's main process and the test that holds the browser. Either end can ask the
 * other something by name; messages keep their order.
 *
 * @param {{ send(message: unknown): void, on(event: 'message', listener: (message: any) => void): unknown }} pipe
 * @param {Record<string, (...args: any[]) => unknown>} answers what the other end may ask
 */
export function peer(pipe, answers) {
  /** @type {Map<number, { resolve(value: any): void, reject(error: Error): void }>} */
  const waiting = new Map()
  let asked = 0
  pipe.on('message', (message) => {
    if (message.name === undefined) {
      const call = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error === undefined) call?.resolve(message.value)
      else call?.reject(new Error(message.error))
    } else void answer(message)
  })

  /** @param {{ id: number, name: string, args: unknown[] }} call */
  async function answer({ id, name, args }) {
    try {
      pipe.send({ id, value: await answers[name]?.(...args) })
    } catch (error) {
      pipe.send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }

  return {
    /**
     * @param {string} name
     * @param {...unknown} args
     * @returns {Promise<any>}
     */
    ask(name, ...args) {
      const id = asked++
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        pipe.send({ id, name, args })
      })
    }
  }
}
