import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Errors whose message was written for people, here. */
const forPeople = [
  ...['HostError', 'UsageError', 'DropRefused', 'FindFailure', 'InvalidState', 'RefusedError'],
  ...['UnusableFile', 'ZstdError']
]

/** Files that may read the message of any error, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'src/contract/host-error.ts': 'makes words for people of it (`messageOf`)',
  'src/core/query/linear-regex.ts': 'takes what an engine says of an expression out of it',
  'src/core/query/parse-query.ts': 'takes what an engine says of an expression out of it',
  'src/queries/find/expression.ts': 'takes what an engine says of an expression out of it'
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

/** The name that a function or a `catch` gives to what was thrown; null: it has none. */
function thrownName(node: Node, code: string): string | null {
  if (node.type === 'CatchClause') return nameOf(node['param'])
  if (!/^(?:ArrowFunctionExpression|FunctionDeclaration|FunctionExpression)$/.test(node.type)) return null
  const named = (node['params'] as Node[]).find((param) =>
    // What a caller gives may be unknown, too.
    /^(?!value\b).*: (?:unknown|\w*Error|NodeJS\.ErrnoException)(?: \| \w+)?$/.test(code.slice(param.start, param.end))
  )
  return nameOf(named)
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : null
}

/** Places where code tells people what was thrown in the words of a program. */
function rawWords(path: string, code: string): string[] {
  // To parse all files takes long.
  if (!/\bcatch\b|: unknown|Error\)|Error,|Exception/.test(code)) return []
  if (!/\.(?:message|stack)\b|String\(\w+\)|\.toString\(\)|\$\{\w+\}/.test(code)) return []
  const found = new Set<string>()
  const visit = (node: Node, name: string): void => {
    const inner = code.slice(node.start, node.end)
    const raw = [
      ...inner.matchAll(new RegExp(String.raw`\b${name}\??\.(?:message|stack)\b`, 'g')),
      ...inner.matchAll(new RegExp(String.raw`\bString\(${name}\)|\$\{${name}\}|\b${name}\.toString\(\)`, 'g'))
    ]
    const isKnown = forPeople.some((one) => inner.includes(`${name} instanceof ${one}`))
    if (!isKnown) for (const { 0: text, index } of raw) found.add(`${path}:${lineOf(code, node.start + index)} ${text}`)
  }
  const walk = (node: Node): void => {
    const name = thrownName(node, code)
    if (name !== null) visit(node, name)
    for (const child of childrenOf(node)) walk(child)
  }
  const { program, errors } = parseSync(path, code)
  expect(errors).toEqual([])
  walk(program as unknown as Node)
  return [...found]
}

function lineOf(code: string, at: number): number {
  return code.slice(0, at).split('\n').length
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|d)\.tsx?$/.test(path))
  .map((path) => `src/${path.replaceAll('\\', '/')}`)

const wordsIn = (path: string): string[] => rawWords(path, readFileSync(join(root, path), 'utf8'))

test('people read errors only by `messageOf`, or errors that were written for them', () => {
  expect(sources.filter((path) => !(path in exceptions)).flatMap(wordsIn)).toEqual([])
})

test.each(Object.entries(exceptions))('%s %s', (path) => {
  expect(wordsIn(path)).not.toEqual([])
})

test.each([
  ['try { f() } catch (error) { say(error.message) }', ['error.message']],
  ['try { f() } catch (e) { say(e instanceof Error ? e.message : String(e)) }', ['e.message', 'String(e)']],
  ['f().catch((error: unknown) => say(`it failed: ${error}`))', ['${error}']],
  ['f().then(g, (why: Error) => say(why?.message))', ['why?.message']],
  ['function told(error: NodeJS.ErrnoException, port: number) { return error.message }', ['error.message']],
  ['class A { #failed(from: number, error: unknown) { say(error.message) } }', ['error.message']],
  ['try { f() } catch (error) { if (!(error instanceof HostError)) throw error; say(error.message) }', []],
  ['try { f() } catch (error) { say(messageOf(error)) }', []],
  ['on((issue: Issue) => say(issue.message))', []]
])('finds what %s tells people', (code, told) => {
  expect(rawWords('a.ts', code)).toEqual(told.map((text) => `a.ts:1 ${text}`))
})
