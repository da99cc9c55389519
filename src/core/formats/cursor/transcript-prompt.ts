import { isCompoundTag, withoutLeadingBlocks } from '../leading-blocks.ts'

const openQuery = '<user_query>'
const closeQuery = '</user_query>'

/** Tags before a prompt: `<timestamp>…</timestamp>`, `<attached_files>…`. */
function isProgram(tag: string): boolean {
  return tag === 'timestamp' || tag === 'context' || (isCompoundTag(tag) && tag !== 'user_query')
}

/**
 * The prompt in a user's message: `<timestamp>…</timestamp>\n<user_query>\nfix it\n</user_query>`. Tags in the prompt
 * are not escaped, so the last end tag counts. Other text stays, without its time.
 */
export function promptOf(text: string): string {
  const open = text.indexOf(openQuery)
  const close = text.lastIndexOf(closeQuery)
  if (open >= 0 && close > open) return text.slice(open + openQuery.length, close).trim()
  return withoutLeadingBlocks(text, (tag) => tag === 'timestamp').trim()
}

/** `<system_notification>…` is no prompt. */
export function isInjected(prompt: string): boolean {
  return prompt !== '' && withoutLeadingBlocks(prompt, isProgram) === ''
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const stamp =
  /<timestamp>\s*[A-Za-z]{3,9}, ([A-Z][a-z]{2}) (\d{1,2}), (\d{4}), (\d{1,2}):(\d\d)\s([AP])M \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)\s*<\/timestamp>/

/** `<timestamp>Monday, Jun 29, 2026, 1:39 PM (UTC-7)</timestamp>` in ms since the epoch, exact to the minute. */
export function promptTime(text: string): number | undefined {
  const match = stamp.exec(text.slice(0, 10_000))
  if (match === null) return undefined
  const [, month = '', day = '', year = '', hour = '', minute = '', half = '', sign = '+', zone = '0', part = '0'] =
    match
  const place = months.indexOf(month)
  if (place < 0 || Number(day) > 31 || Number(hour) > 12 || Number(minute) > 59) return undefined
  const local = Date.UTC(
    Number(year),
    place,
    Number(day),
    (Number(hour) % 12) + (half === 'P' ? 12 : 0),
    Number(minute)
  )
  const offset = (Number(zone) * 60 + Number(part)) * 60_000
  return sign === '-' ? local + offset : local - offset
}
