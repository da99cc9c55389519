import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'

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
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, kind)
  const texts = new Set()
  const visit = (node) => {
    if (isNoText(node, source)) return
    if (ts.isJsxText(node)) {
      const text = oneLine(node.text)
      if (/\p{L}/u.test(text)) texts.add(text)
      return
    }
    const text = literalText(node)
    if (text !== null && isProse(text)) texts.add(oneLine(text))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...texts]
}

function isNoText(node, source) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isJsxAttribute(node)) return notShown.has(node.name.getText(source))
  return ts.isNewExpression(node) && ['Error', 'TypeError', 'RangeError'].includes(node.expression.getText(source))
}

function literalText(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('')
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
