// `npm run interface-text`: writes interface-text.md, the list in which all texts are reviewed. A test says when that is due.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { interfaceText } from './interface-text.js'

const path = fileURLToPath(new URL('interface-text.md', import.meta.url))
writeFileSync(path, await interfaceText(fileURLToPath(new URL('../src', import.meta.url))))
console.log(`written: ${path}`)
