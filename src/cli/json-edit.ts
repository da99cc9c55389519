/** Edits of valid JSON text that keep the order, spaces and number notation of the rest. */

/** A value and its range in the text. */
export type JsonNode = JsonPlace & (JsonContainer | { readonly kind: 'scalar' })

interface JsonPlace {
  readonly start: number
  readonly end: number
}

interface JsonContainer {
  readonly kind: 'object' | 'array'
  readonly items: readonly JsonItem[]
}

export interface JsonItem extends JsonPlace {
  /** Null in an array. */
  readonly key: string | null
  readonly value: JsonNode
}

export function jsonTree(text: string): JsonNode {
  let at = 0
  const space = (): void => {
    while (/[\s\ufeff]/.test(text.charAt(at))) at++
  }
  const string = (): string => {
    const start = at++
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at++
    return text.slice(start, at)
  }
  const item = (isMember: boolean): JsonItem => {
    const start = at
    const key = isMember ? (JSON.parse(string()) as string) : null
    if (isMember) {
      space()
      at++
    }
    const node = value()
    return { key, value: node, start, end: node.end }
  }
  const value = (): JsonNode => {
    space()
    const start = at
    const open = text[at]
    if (open === '"') {
      string()
      return { kind: 'scalar', start, end: at }
    }
    if (open !== '{' && open !== '[') {
      while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at++
      return { kind: 'scalar', start, end: at }
    }
    const items: JsonItem[] = []
    at++
    for (space(); text[at] !== '}' && text[at] !== ']'; space()) {
      if (text[at] === ',') at++
      space()
      items.push(item(open === '{'))
    }
    at++
    return { kind: open === '{' ? 'object' : 'array', items, start, end: at }
  }
  return value()
}

/** Of duplicate keys the last one counts. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return itemsOf(node).findLast((item) => item.key === key)?.value
}

export function itemsOf(node: JsonNode | undefined): readonly JsonItem[] {
  return node === undefined || node.kind === 'scalar' ? [] : node.items
}

/** Adds a value at the end of an object (under `key`) or an array, in the style of its surroundings. */
export function appended(text: string, node: JsonNode, key: string | null, value: unknown): string {
  const last = itemsOf(node).at(-1)
  const named = (json: string): string => (key === null ? json : `${JSON.stringify(key)}: ${json}`)
  // A container on one line stays on one line.
  if (last !== undefined && !text.slice(last.end, node.end).includes('\n')) {
    return splice(text, last.end, last.end, `, ${named(JSON.stringify(value))}`)
  }
  const unit = indentOf(text)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = lineIndent(text, node.start)
  const inner = last === undefined ? outer + unit : lineIndent(text, last.start)
  const json = named(JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + inner))
  if (last !== undefined) return splice(text, last.end, last.end, `,${lineEnd}${inner}${json}`)
  return splice(text, node.start + 1, node.end - 1, `${lineEnd}${inner}${json}${lineEnd}${outer}`)
}

/** Removes an item with its comma and the space before it. An empty container becomes `{}` or `[]`. */
export function without(text: string, node: JsonNode, item: JsonItem): string {
  const items = itemsOf(node)
  const index = items.indexOf(item)
  const [before, after] = [items[index - 1], items[index + 1]]
  if (before !== undefined) return splice(text, before.end, item.end, '')
  if (after !== undefined) return splice(text, item.start, after.start, '')
  return splice(text, node.start + 1, node.end - 1, '')
}

export function replaced(text: string, node: JsonNode, value: unknown): string {
  return splice(text, node.start, node.end, JSON.stringify(value))
}

function splice(text: string, start: number, end: number, middle: string): string {
  return text.slice(0, start) + middle + text.slice(end)
}

/** The first indentation in the text. */
function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}

function lineIndent(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
