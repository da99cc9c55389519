import { isJsonObject, type JsonValue, stringAt } from '../json.ts'

/** A search result. */
export interface WebLink {
  readonly title: string
  readonly url: string
}

const linksLine = /^Links: (\[.*\])$/gm

/** The results that a web search prints as JSON lines, and the text without them. */
export function webLinks(output: string): { readonly links: readonly WebLink[]; readonly text: string } {
  const links: WebLink[] = []
  const text = output.replaceAll(linksLine, (line, list: string) => {
    const found = linksIn(list)
    links.push(...found)
    return found.length === 0 ? line : ''
  })
  return { links, text: links.length === 0 ? output : text.replace(/\n{3,}/g, '\n\n').trim() }
}

function linksIn(list: string): readonly WebLink[] {
  let value: unknown
  try {
    value = JSON.parse(list)
  } catch {
    return []
  }
  if (!Array.isArray(value)) return []
  return (value as readonly JsonValue[]).flatMap((entry) => {
    const url = isJsonObject(entry) ? stringAt(entry, 'url') : undefined
    return isJsonObject(entry) && url !== undefined ? [{ title: stringAt(entry, 'title') ?? url, url }] : []
  })
}
