// A page of the bench: draws what a log can hold at worst, and measures for how long it blocks the page.
import '../../src/renderer/styles/tokens.css'
import '../../src/renderer/styles/base.css'
import '../../src/renderer/ui/controls.css'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Code } from '../../src/renderer/content/code.tsx'
import { Diff } from '../../src/renderer/content/diff.tsx'
import { LineList } from '../../src/renderer/content/line-list.tsx'
import { Markdown } from '../../src/renderer/content/markdown.tsx'
import { PatchDiff } from '../../src/renderer/content/patch-diff.tsx'
import { TerminalText } from '../../src/renderer/content/terminal-text.tsx'

const escape = String.fromCharCode(27)
const millions = 20e6

/** `unit` until there are about `length` characters. */
const filled = (unit, length = millions) => unit.repeat(Math.ceil(length / unit.length))
/** Lines that all differ. */
const lines = (count, line) => Array.from({ length: count }, (_, at) => line(at)).join('\n')
const row = (cell, columns) => `|${`${cell}|`.repeat(columns)}\n`
const prose = 'The *quick* `brown` fox [jumps](https://example.org) over **the lazy** dog, and then_some more.\n'

/** What is drawn, by name. Each makes its text when it is asked for. */
const cases = {
  'output of 20 MB, short lines': () => [TerminalText, { text: filled('ok 12 - a test that passes\n') }],
  'output of 20 MB, coloured lines': () => [
    TerminalText,
    { text: filled(`${escape}[32m✓${escape}[0m ${escape}[2ma test${escape}[0m that ${escape}[1mpasses${escape}[0m\n`) }
  ],
  'output of 20 MB, one line': () => [TerminalText, { text: filled('abcdefghij') }],
  'output of 20 MB, wrapped': () => [TerminalText, { text: filled('some words in a line\n'), wrap: true }],
  'output of 20 MB, empty lines': () => [TerminalText, { text: filled('\n') }],
  'a million sequences in a line': () => [TerminalText, { text: filled(`${escape}[31ma${escape}[1;42mb`, 10e6) }],
  'a million weights without a reset': () => [TerminalText, { text: filled(`${escape}[1m`, 4e6) }],
  'a million true colours': () => [
    TerminalText,
    { text: lines(1e6, (at) => `${escape}[38;2;${at & 255};${(at >> 8) & 255};7mx`) }
  ],
  'a million carriage returns': () => [TerminalText, { text: filled('50 %\r', 5e6) }],
  'lines written over a thousand times': () => [
    TerminalText,
    { text: filled(`${filled('50 %\r', 5000)}done\n`, 10e6) }
  ],
  'a list of 20 MB': () => [LineList, { text: filled('some words in a line\n') }],
  'code of 1.5 MB': () => [
    Code,
    { text: filled(`const a = { b: 'c', d: 12 } // e\n\nexport function f() {}\n`, 1.5e6), path: 'a.ts' }
  ],
  'code of 20 MB, one line': () => [Code, { text: filled('const a=1;'), path: 'a.js' }],
  'markdown of 5 MB': () => [Markdown, { text: filled(`${prose.repeat(8)}\n- item\n- item\n\n`, 5e6) }],
  'markdown, one paragraph of 5 MB': () => [Markdown, { text: filled(prose, 5e6) }],
  'markdown, a table of 10,000 columns': () => [
    Markdown,
    { text: row('head', 10_000) + row('-', 10_000) + row('cell', 10_000).repeat(100) }
  ],
  'markdown, a table of 50,000 rows': () => [
    Markdown,
    { text: row('a', 4) + row('-', 4) + row('cell', 4).repeat(50_000) }
  ],
  'markdown, 100,000 of [': () => [Markdown, { text: filled('[', 1e5) }],
  'markdown, 100,000 of *a': () => [Markdown, { text: filled('*a ', 3e5) }],
  'markdown, 100,000 of >': () => [Markdown, { text: filled('>', 1e5) }],
  'markdown, an unclosed fence of 20 MB': () => [Markdown, { text: `\`\`\`ts\n${filled('const a = 1\n')}` }],
  'markdown, lines of __a__b': () => [Markdown, { text: filled(`${filled('__a__b', 900)}\n\n`, 1e6) }],
  'an edit of two files without a line in common': () => [
    Diff,
    { before: lines(1e5, (at) => `before ${at}`), after: lines(1e5, (at) => `after ${at}`), layout: 'split' }
  ],
  'an edit of 100,000 lines, one in a hundred changed': () => [
    Diff,
    {
      before: lines(1e5, (at) => `line ${at}`),
      after: lines(1e5, (at) => (at % 100 === 0 ? `changed ${at}` : `line ${at}`)),
      layout: 'split'
    }
  ],
  'a patch of 4 MB': () => [
    PatchDiff,
    {
      patch: `--- a/x.ts\n+++ b/x.ts\n@@ -1,100000 +1,100000 @@\n${lines(1e5, (at) => `-const a = ${at}\n+const b = ${at}`)}\n`,
      layout: 'unified'
    }
  ]
}

/** The longest time, in ms, in which the page did nothing else, until `stop` is called. */
function watchBlocks() {
  const { port1, port2 } = new MessageChannel()
  let longest = 0
  let last = performance.now()
  let watching = true
  port1.onmessage = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (watching) port2.postMessage(null)
  }
  port2.postMessage(null)
  return {
    longest: () => longest,
    stop: () => {
      watching = false
      port1.close()
    }
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const main = document.getElementById('root')
main.style.cssText = 'width: 880px; height: 100vh; overflow: auto'

let prepared = null

/** Makes what is drawn next: that is not measured. */
async function prepare(name) {
  prepared = { name, made: cases[name]() }
  await pause(300)
}

/** Draws what is prepared and scrolls through it. Gives the longest block in ms, and how many elements there were at most. */
async function measure() {
  const { name, made } = prepared
  const [component, props] = made
  const root = createRoot(main)
  await pause(200)
  const blocks = watchBlocks()
  await pause(50)
  root.render(createElement(component, { label: 'Text', ...props }))
  await pause(1000)
  let elements = main.querySelectorAll('*').length
  const boxes = () => [main, ...main.querySelectorAll('.line-scroll')].slice(0, 4)
  for (let step = 1; step <= 10; step++) {
    for (const box of boxes()) box.scrollTop = (box.scrollHeight * step) / 10
    await pause(100)
    elements = Math.max(elements, main.querySelectorAll('*').length)
  }
  blocks.stop()
  root.unmount()
  return { name, longest: blocks.longest(), elements }
}

window.contentCases = Object.keys(cases)
window.prepareContent = prepare
window.measureContent = measure
