import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'
import { renewFolder } from './folder.ts'

/** Vitest runs this before each file of tests. */
const made = renewFolder()
afterAll(() => rmSync(made, { recursive: true, force: true }))
