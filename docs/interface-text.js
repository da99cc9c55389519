import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** What each part of `src` is to a reader of the list. */
const sections = [
  ['contract', 'Commands and messages of the host'],
  ['renderer', 'The page'],
  ['share', 'Shared pages'],
  ['main', 'Desktop app'],
  ['cli', 'Command line'],
  ['backend', 'Messages of the backend'],
  ['server', 'Messages of the server'],
  ['queries', 'Messages of queries'],
  ['core', 'Reports, summaries and issues']
]

/** Attributes whose values nobody reads. */
const notShown = new Set(['className', 'd', 'href', 'htmlFor', 'id', 'key', 'name', 'rel', 'role', 'style', 'type'])
const keys =
  /^(?:(?:Shift|Ctrl|Alt|Meta)[+ ].+|Arrow(?:Up|Down|Left|Right)|Enter|Escape|Home|End|Page(?:Up|Down)|Delete|Key[A-Z]|Space)$/

/** The whole list, as markdown, of the sources below `src`. */
export async function interfaceText(src) {
  const files = (await readdir(src, { recursive: true })).map((file) => file.replaceAll('\\', '/')).toSorted()
  const parts = sections.flatMap(([folder, title]) => {
    const lists = files
      .filter((file) => file.startsWith(`${folder}/`) && /^(?!.*(?:\.test\.|\.d\.ts|\/test-)).*\.tsx?$/.test(file))
      .map((file) => [file, textsOf(file, readFileSync(join(src, file), 'utf8'))])
      .filter(([, texts]) => texts.length > 0)
    return [`## ${title}`, ...lists.map(([file, texts]) => `### ${file}\n\n${texts.map(line).join('\n')}`)]
  })
  const head =
    '# Interface text\n\nEvery text that Playhead shows, by the file that holds it. Made by `npm run interface-text`; do not edit. ' +
    '`{…}` stands for a value.'
  return `${[head, ...parts].join('\n\n')}\n`
}

/** The texts of a source file in their order, each once. */
function textsOf(file, code) {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const texts = new Set()
  const visit = (node) => {
    if (isNoText(node)) return
    const text = textOf(node)
    if (text !== null && (node.type === 'JSXText' ? /\p{L}/u.test(text) : isProse(text))) texts.add(oneLine(text))
    for (const part of Object.values(node).flat()) if (typeof part?.type === 'string') visit(part)
  }
  visit(program)
  return [...texts]
}

function isNoText(node) {
  // Types: `TSTypeReference`, `TSLiteralType` and so on. These are values with a type beside them.
  const isType = node.type.startsWith('TS') && !/^TS(?:(?:As|Satisfies|NonNull)Expression|Enum)/.test(node.type)
  if (isType || node.type === 'ImportDeclaration' || (node.type.startsWith('Export') && node.source)) return true
  if (node.type === 'JSXAttribute') return notShown.has(node.name.name)
  return node.type === 'NewExpression' && ['Error', 'TypeError', 'RangeError'].includes(node.callee.name)
}

function textOf(node) {
  if (node.type === 'JSXText') return node.value
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('{…}') : null
}

/** Words, and not a selector, a style, a key or a code. */
function isProse(text) {
  const words = text.replaceAll('{…}', '').trim()
  if (!/\p{L}/u.test(words) || keys.test(words)) return false
  if (/^[[.(#<]|[{}]|;$|\w\(|=>|\bcalc\b|::|^-{1,2}\w+$/.test(words) && !/[.?!…]$/.test(words)) return false
  return /\p{L}{2,}.* \S/u.test(words) || /^\p{Lu}\p{Ll}+[.:…]?$/u.test(words)
}

function oneLine(text) {
  // A control character in a text would make the list a binary file.
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function line(text) {
  const ticks = text.includes('`') ? '``' : '`'
  const space = ticks.length > 1 ? ' ' : ''
  return `- ${ticks}${space}${text}${space}${ticks}`
}
