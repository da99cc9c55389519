import { closeSync, openSync, writeSync } from 'node:fs'
import { numbers } from './random-text.js'
import { eachLine } from './lines.js'

/** Shares of the calls of a log that another execution of the same work did not make, made besides, or made in another way. */
const shares = { dropped: 0.1, added: 0.1, changed: 0.05 }

/**
 * Writes what another execution of the work of a Claude Code log could have been: some calls are missing together with their results, some
 * were made twice, some with another input.
 */
export function makeChangedLog(path, from) {
  const random = numbers(20261125)
  const file = openSync(path, 'w')
  /** By call: what becomes of it and its result. */
  const fates = new Map()
  eachLine(from, (lines) => {
    const kept = lines.flatMap((line) => {
      const called = line.match(/"type":"tool_use","id":"([^"]+)"/)?.[1]
      const answered = line.match(/"tool_use_id":"([^"]+)"/)?.[1]
      if (called !== undefined && !fates.has(called)) fates.set(called, random())
      const fate = fates.get(called ?? answered) ?? 1
      if (fate < shares.dropped) return []
      const again = line.replaceAll(/"(toolu_[^"]+|[0-9a-f-]{36})"/g, (_, id) => `"${id.slice(0, -1)}_"`)
      if (fate < shares.dropped + shares.added) return [line, again]
      if (fate > 1 - shares.changed) return [line.replace(/"(command|pattern|old_string)":"/, '"$1":"# again: ')]
      return [line]
    })
    if (kept.length > 0) writeSync(file, `${kept.join('\n')}\n`)
  })
  closeSync(file)
}
