import { rmSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
import { renewFolder } from './folder.ts'

/** Vitest runs this before each file of tests. */
const made = renewFolder()
/** Warnings of Node: of listeners that are not removed, and the like. */
const warnings: string[] = []
const onWarning = (warning: Error): void => void warnings.push(warning.stack ?? warning.message)
process.on('warning', onWarning)
afterAll(() => {
  process.off('warning', onWarning)
  rmSync(made, { recursive: true, force: true })
  expect(warnings).toEqual([])
})
