import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startFailure } from './start-failure.ts'

test.skipIf(process.platform === 'win32')(
  'arguments that the system does not take: what is too long, and what to do',
  async () => {
    // The prompt is never among them: it is standard input.
    const error = await new Promise((resolve, reject) => {
      try {
        const child = spawn(process.execPath, ['x'.repeat(8 << 20)], { stdio: 'ignore' })
        void once(child, 'spawn').then(() => reject(new Error('it was started')), resolve)
      } catch (thrown) {
        resolve(thrown)
      }
    })
    expect(await startFailure(process.execPath, error)).toMatchObject({
      code: 'bad-params',
      message: 'The arguments and the environment are too long for this system. Use fewer or shorter arguments.'
    })
  }
)
