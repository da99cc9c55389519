import { common, createLowlight } from 'lowlight'

/** The kinds of code with a color of their own. */
export type CodeTone = 'keyword' | 'string' | 'number' | 'key' | 'comment' | 'deleted'

/** Characters up to `end` with one tone; null: text color. */
export interface CodeSpan {
  readonly end: number
  readonly tone: CodeTone | null
}

const tones: Readonly<Record<string, CodeTone>> = {
  addition: 'string',
  attr: 'key',
  attribute: 'key',
  built_in: 'key',
  bullet: 'number',
  char: 'string',
  comment: 'comment',
  deletion: 'deleted',
  doctag: 'keyword',
  keyword: 'keyword',
  link: 'string',
  literal: 'keyword',
  meta: 'comment',
  name: 'keyword',
  number: 'number',
  property: 'key',
  quote: 'comment',
  regexp: 'string',
  section: 'key',
  'selector-attr': 'key',
  'selector-class': 'key',
  'selector-id': 'key',
  'selector-pseudo': 'key',
  'selector-tag': 'keyword',
  string: 'string',
  symbol: 'number',
  'template-variable': 'key',
  title: 'key',
  type: 'number',
  variable: 'key'
}

let made: ReturnType<typeof createLowlight> | undefined

/** Created on first use, because registering forty languages takes some milliseconds. */
function lowlight(): ReturnType<typeof createLowlight> {
  return (made ??= createLowlight(common))
}

/** Whether a language name can be highlighted. */
export function knowsLanguage(language: string): boolean {
  return lowlight().registered(language)
}

/** The used members of a highlighter node. */
interface Node {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly Node[]
}

/** The spans of `code` in a known language. Pass short parts: the time is proportional to the length. */
export function codeSpans(code: string, language: string): CodeSpan[] {
  const spans: CodeSpan[] = []
  let end = 0
  const visit = (node: Node, tone: CodeTone | null) => {
    if (node.type === 'text') {
      end += node.value?.length ?? 0
      spans.push({ end, tone })
      return
    }
    const own = toneOf(node.properties?.className) ?? tone
    node.children?.forEach((child) => visit(child, own))
  }
  visit(lowlight().highlight(language, code), null)
  // A faulty grammar must not hide code.
  return end === code.length ? spans : [{ end: code.length, tone: null }]
}

function toneOf(className: unknown): CodeTone | null {
  const name: unknown = Array.isArray(className) ? className[0] : undefined
  return typeof name === 'string' ? (tones[name.replace(/^hljs-/, '')] ?? null) : null
}
