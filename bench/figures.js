/**
 * One thing that was measured. `most`: what it may be at most (`npm run bench` says whether it holds); without it the figure stands
 * beside others for comparison. `note`: what else there is to know.
 */
export function figure(name, value, unit, { most = null, note = '' } = {}) {
  return { name, value, unit, most, holds: most === null ? null : value <= most, note }
}

const digits = { 'x floor': 2, x: 2, ms: 1, MB: 0, B: 0, '%': 1, 'CPU s': 1 }

/** What memory may be, above that of an empty process. */
export const mostMemoryMb = (rows) => 120 + (60 * rows) / 1e6

/** Memory above that of an empty process, as a figure. */
export function memoryFigure(name, bytes, emptyBytes, rows) {
  const note = `${rows} rows`
  return figure(name, (bytes - emptyBytes) / 1e6, 'MB', { most: mostMemoryMb(rows), note })
}

/** For how long the host's main thread was blocked. Some of it may be the wait for a core. */
export function blockFigure(name, { longestBlockMs, longestRunMs }, most = null) {
  return figure(name, longestBlockMs, 'ms', { most, note: `it ran at most ${longestRunMs.toFixed(1)} ms of that` })
}

/** Prints what a part found. */
export function printFigures(title, figures) {
  console.log(`\n${title}`)
  for (const { name, value, unit, most, holds, note } of figures) {
    const shown = (number) => `${number.toFixed(digits[unit] ?? 0)} ${unit}`
    const target = most === null ? '' : `at most ${shown(most)}`
    const verdict = holds === null ? '' : holds ? 'holds' : 'FAILS'
    console.log(
      `  ${name.padEnd(56)}${shown(value).padStart(13)}  ${target.padEnd(24)}${verdict.padEnd(7)}${note}`.trimEnd()
    )
  }
}
