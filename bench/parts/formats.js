import { costOf, kindsOfLogs } from '../format-costs.js'

/** What each format costs beside `JSON.parse` of the same lines, one after the other in one process: they share the code that is hot. */
export async function run() {
  return kindsOfLogs().map(costOf)
}

/**
 * Reading as a ratio to `JSON.parse` of the same lines: as strings, and as the bytes they are. Of short lines there is little to parse, so the
 * last column says what a line costs beside the floor.
 */
export function print(title, costs) {
  console.log(`\n${title}`)
  console.log(`  ${'format'.padEnd(40)}      MB    lines   events  parse  floor   read  x parse  x floor  µs a line`)
  for (const { of, name, bytes, lines, events, parseMs, floorMs, readMs, toParse, toFloor } of costs) {
    const numbers = [
      (bytes / 1e6).toFixed(1).padStart(8),
      ...[lines, events].map((count) => String(count).padStart(9)),
      ...[parseMs, floorMs, readMs].map((ms) => ms.toFixed(0).padStart(7)),
      ...[toParse, toFloor].map((ratio) => ratio.toFixed(2).padStart(9)),
      ((1000 * (readMs - floorMs)) / lines).toFixed(1).padStart(11)
    ]
    console.log(`  ${`${of} ${name}`.padEnd(40)}${numbers.join('')}`)
  }
}
