import { patchAt } from '../../index/file-changes.ts'
import type { JsonObject } from '../../json.ts'
import type { ScriptCalls } from '../agent.ts'
import { escapes } from './plan-literal.ts'

/** Characters of a call that are searched. */
const maxCall = 4000
/** Limit of a patch in characters. */
const maxPatch = 200_000

/** Scripts call tools: `await tools.run({cmd: "npm test"})`. Searched, never evaluated. Null without a call. */
export function scriptCalls(script: string): ScriptCalls | null {
  const calls = [...script.matchAll(/\btools\.([\w.]{1,100})\(/g)]
  const [first, second] = calls
  if (first === undefined) return null
  const end = Math.min(first.index + maxCall, second?.index ?? script.length)
  const input = membersIn(script.slice(first.index, end))
  const patch = patchIn(script)
  return {
    tool: first[1] ?? '',
    input: patch === null || Object.keys(input).length > 0 ? input : { patch },
    calls: calls.length
  }
}

/** `key: "text"` and `key: 7`, with or without quotes; the first of a name counts. */
function membersIn(text: string): JsonObject {
  const members = new Map<string, string | number>()
  const member =
    /[{,\s](["']?)(\w{1,40})\1\s{0,20}:\s{0,20}(?:"((?:[^"\\]|\\[^])*)"?|'((?:[^'\\]|\\[^])*)'?|`((?:[^`\\]|\\[^])*)`?|(-?\d{1,15}))/g
  for (const [, , key = '', double, single, tick, number] of text.matchAll(member)) {
    if (members.has(key)) continue
    members.set(key, number === undefined ? unescaped(double ?? single ?? tick ?? '') : Number(number))
  }
  return Object.fromEntries(members)
}

/** The first patch in a string of the script. */
function patchIn(script: string): string | null {
  const at = patchAt(script)
  if (at < 1) return null
  const quote = script.charAt(at - 1)
  if (quote !== '"' && quote !== "'" && quote !== '`') return null
  let end = at
  while (end < script.length && end - at < maxPatch && script.charAt(end) !== quote)
    end += script.charAt(end) === '\\' ? 2 : 1
  return unescaped(script.slice(at, end))
}

/** The value of a string literal's content. */
function unescaped(literal: string): string {
  if (!literal.includes('\\')) return literal
  return literal.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([^]))/gi,
    (_, point?: string, unit?: string, byte?: string, other?: string) => {
      if (other !== undefined) return other === '\n' ? '' : (escapes[other] ?? other)
      const code = Number.parseInt(point ?? unit ?? byte ?? '', 16)
      return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
    }
  )
}
