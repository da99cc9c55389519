// Writes sample-run.jsonl: a made-up but faithful Claude Code stream-json log (2.1.x shapes), the run a new user sees first.
// It shows what Playhead is for: prompts, thinking, tools, a todo list that changes, a subagent with its own list, a failing
// test, an idle gap, tools of servers, a picture, a record that breaks the strict contract, and a line that is two lines glued
// together.
// Deterministic: node resources/make-sample-run.js gives the same bytes.
import { writeFileSync } from 'node:fs'

const session = '5f0c3a52-6a1e-4d57-9d0b-2f6f4f1f8a11'
const cwd = '/home/dev/wordcount'
const model = 'claude-sonnet-4-5'
const lines = []
let now = Date.parse('2026-11-20T12:01:02.310Z')
let messages = 0
let calls = 0

const time = (ms) => new Date((now += ms)).toISOString()
const write = (record) => lines.push(JSON.stringify(record))

function assistant(ms, content, track = null) {
  const id = `msg_01Sample${String(++messages).padStart(4, '0')}`
  const usage = { input_tokens: 4, cache_creation_input_tokens: 310, cache_read_input_tokens: 15_200, output_tokens: 1 }
  for (const block of [content].flat()) {
    write({
      type: 'assistant',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage
      },
      parent_tool_use_id: track,
      session_id: session,
      timestamp: time(ms)
    })
  }
}

const thinking = (text) => ({ type: 'thinking', thinking: text, signature: 'c2FtcGxl' })
const text = (value) => ({ type: 'text', text: value })

/** A call and its answer. Returns the call's id. */
function call(name, input, answer, { took = 40, error = false, track = null, structured, between } = {}) {
  const id = `toolu_01Sample${String(++calls).padStart(4, '0')}`
  assistant(900, { type: 'tool_use', id, name, input }, track)
  between?.(id)
  const result = { type: 'tool_result', tool_use_id: id, content: answer }
  if (error) result.is_error = true
  write({
    type: 'user',
    message: { role: 'user', content: [result] },
    parent_tool_use_id: track,
    session_id: session,
    timestamp: time(took),
    ...(structured ? { tool_use_result: structured } : {})
  })
  return id
}

function prompt(ms, value) {
  write({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: value }] },
    parent_tool_use_id: null,
    session_id: session,
    isReplay: true,
    timestamp: time(ms)
  })
}

const status = { p: 'pending', i: 'in_progress', c: 'completed' }
const lists = new Map()
/** todos('c Read it', 'i Write it') */
function todos(list, track = null) {
  const items = list.map((item) => ({ content: item.slice(2), status: status[item[0]], activeForm: item.slice(2) }))
  const before = lists.get(track) ?? []
  call(
    'TodoWrite',
    { todos: items },
    'Todos have been modified successfully. Ensure that you continue to use the todo list.',
    {
      took: 12,
      track,
      structured: { oldTodos: before, newTodos: items }
    }
  )
  lists.set(track, items)
}

const thinkingTokens = (n) => {
  for (let i = 1; i <= n; i++) {
    write({
      type: 'system',
      subtype: 'thinking_tokens',
      estimated_tokens: 40 * i,
      estimated_tokens_delta: 40,
      session_id: session
    })
  }
}

const tools = [
  ...['Task', 'Bash', 'Glob', 'Grep', 'Read', 'Edit', 'Write', 'TodoWrite', 'WebFetch'],
  ...['mcp__browser__screenshot', 'mcp__tracker__search']
]
const init = () =>
  write({
    type: 'system',
    subtype: 'init',
    cwd,
    session_id: session,
    tools,
    mcp_servers: [],
    model,
    permissionMode: 'acceptEdits',
    slash_commands: ['compact', 'review'],
    apiKeySource: 'ANTHROPIC_API_KEY',
    claude_code_version: '2.1.330',
    output_style: 'default',
    uuid: '6c7be2b4-8a51-4a0e-8f5a-0d6f6f4f2b01'
  })
const result = (ms, turns, durationMs, cost, value) => {
  time(ms)
  write({
    duration_ms: durationMs,
    duration_api_ms: Math.round(durationMs * 0.82),
    is_error: false,
    num_turns: turns,
    stop_reason: 'end_turn',
    session_id: session,
    total_cost_usd: cost,
    usage: {
      input_tokens: 96,
      cache_creation_input_tokens: 8_204,
      cache_read_input_tokens: 214_880,
      output_tokens: 5_311
    },
    permission_denials: [],
    subtype: 'success',
    result: value,
    type: 'result'
  })
}

// ---- turn 1: look around ----
init()
prompt(40, 'Look around and tell me how words are counted.')
thinkingTokens(3)
assistant(2100, [thinking('I will list the files first, then read the counter and its tests.')])
call(
  'Bash',
  { command: 'ls -la && node --version', description: 'List the files' },
  'total 24\n-rw-r--r-- 1 dev dev  312 package.json\n-rw-r--r-- 1 dev dev  201 README.md\ndrwxr-xr-x 2 dev dev 4096 src\ndrwxr-xr-x 2 dev dev 4096 test\nv20.20.2',
  { took: 79, structured: { stdout: 'total 24', stderr: '', interrupted: false, isImage: false } }
)
call(
  'Grep',
  { pattern: 'countWords', path: 'src', output_mode: 'content' },
  'src/wordcount.js:1:export function countWords(text) {',
  { took: 44 }
)
call(
  'Read',
  { file_path: `${cwd}/src/wordcount.js` },
  "     1\texport function countWords(text) {\n     2\t  return text.split(' ').length\n     3\t}\n",
  { took: 12 }
)
call(
  'Read',
  { file_path: `${cwd}/test/wordcount.test.js` },
  "     1\timport test from 'node:test'\n     2\timport assert from 'node:assert/strict'\n     3\timport { countWords } from '../src/wordcount.js'\n     4\t\n     5\ttest('counts words', () => assert.equal(countWords('a b c'), 3))\n",
  { took: 11 }
)
assistant(2600, [
  text(
    '`countWords` splits on one space. Two spaces in a row count a word too many, an empty text counts one, and other white space (tabs, no-break spaces, line ends) is not seen at all.'
  )
])
result(300, 5, 9_840, 0.0312, '`countWords` splits on one space.')

// ---- turn 2: the work ----
now += 64_000
init()
prompt(30, 'Make the counter pass the Unicode tests, then report what changed. Let a helper check the README.')
thinkingTokens(4)
assistant(3600, [
  thinking('Several steps: tests, implementation, README. I will keep a list, so nothing is forgotten.')
])

const T = [
  'Read the request and look around',
  'Write src/wordcount.js',
  'Let a helper check the README',
  'Write tests (incl. Unicode: grüße, слово, can’t)',
  'Run the tests',
  'Report the result'
]
const list = (states, extra = []) => todos([...T.map((item, i) => `${states[i]} ${item}`), ...extra])
list('ippppp')
call(
  'Bash',
  { command: 'npm test --silent', description: 'Run the present tests' },
  'TAP version 13\nok 1 - counts words\n1..1\n# pass 1\n# fail 0',
  { took: 842 }
)
list('cipppp')
call(
  'Write',
  {
    file_path: `${cwd}/src/wordcount.js`,
    content:
      '/** Words of a text in any script that puts space between them. */\nexport function countWords(text) {\n  return text.match(/\\p{L}+/gu)?.length ?? 0\n}\n'
  },
  `The file ${cwd}/src/wordcount.js has been updated.`,
  {
    took: 53,
    structured: {
      type: 'update',
      filePath: `${cwd}/src/wordcount.js`,
      structuredPatch: [
        {
          oldStart: 1,
          oldLines: 3,
          newStart: 1,
          newLines: 4,
          lines: [
            '+/** Words of a text in any script that puts space between them. */',
            ' export function countWords(text) {',
            "-  return text.split(' ').length",
            '+  return text.match(/\\p{L}+/gu)?.length ?? 0',
            ' }'
          ]
        }
      ]
    }
  }
)
// A record that breaks the strict contract: the subtype of a system record has to be a string.
write({ type: 'system', subtype: 7, session_id: session, note: 'written by a broken hook' })
list('ccippp')

// ---- a long wait: the person was asked for permission ----
now += 372_000
call(
  'Task',
  {
    description: 'Check the README',
    prompt: 'Check the README and write notes.md. Keep your own todo list.',
    subagent_type: 'general-purpose'
  },
  [
    { type: 'text', text: 'The README does not mention Unicode. notes.md lists two sentences to add.' },
    { type: 'text', text: 'agentId: a9c41f2' }
  ],
  {
    took: 420,
    structured: {
      status: 'completed',
      agentId: 'a9c41f2',
      totalTokens: 15_882,
      totalToolUseCount: 4,
      totalDurationMs: 11_200
    },
    between(track) {
      write({
        type: 'system',
        subtype: 'task_started',
        task_id: 'a9c41f2',
        tool_use_id: track,
        description: 'Check the README',
        task_type: 'local_agent',
        session_id: session
      })
      write({
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'text', text: 'Check the README and write notes.md. Keep your own todo list.' }]
        },
        parent_tool_use_id: track,
        session_id: session,
        timestamp: time(13)
      })
      todos(['i Read README.md', 'p Write notes.md'], track)
      call(
        'Read',
        { file_path: `${cwd}/README.md` },
        '     1\t# wordcount\n     2\t\n     3\tCounts the words of a text.\n',
        { took: 9, track }
      )
      todos(['c Read README.md', 'i Write notes.md'], track)
      call(
        'Write',
        {
          file_path: `${cwd}/notes.md`,
          content:
            '- say that any script is counted\n- name the scripts it is tested with\n- add an example with слово\n'
        },
        'File created successfully at: notes.md',
        { took: 24, track }
      )
      todos(['c Read README.md', 'c Write notes.md'], track)
      write({
        type: 'system',
        subtype: 'task_notification',
        task_id: 'a9c41f2',
        tool_use_id: track,
        status: 'completed',
        output_file: '',
        summary: 'notes.md is written.',
        session_id: session
      })
    }
  }
)
list('cccipp', ['p Handle empty text and double spaces'])
call(
  'Write',
  {
    file_path: `${cwd}/test/wordcount.test.js`,
    content:
      "import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { countWords } from '../src/wordcount.js'\n\ntest('counts words', () => assert.equal(countWords('a  b c'), 3))\ntest('empty text', () => assert.equal(countWords(''), 0))\ntest('grüße слово can’t', () => assert.equal(countWords('grüße слово can’t'), 3))\n"
  },
  `The file ${cwd}/test/wordcount.test.js has been updated.`,
  { took: 25 }
)
list('ccccip', ['p Handle empty text and double spaces'])
call(
  'Bash',
  { command: 'node --test --test-reporter=tap test/', description: 'Run the tests' },
  'Exit code 1\nTAP version 13\nok 1 - counts words\nok 2 - empty text\nnot ok 3 - grüße слово can’t\n  ---\n  location: test/wordcount.test.js:7:1\n  error: Expected values to be strictly equal: 4 !== 3\n  ...\n1..3\n# pass 2\n# fail 1',
  { took: 1240, error: true, structured: 'Error: Exit code 1' }
)
thinkingTokens(2)
assistant(2000, [
  thinking('can’t is cut in two at the apostrophe. An apostrophe between two letters belongs to the word.')
])
assistant(600, [text('One test fails: `can’t` is counted as two words. I let an apostrophe stand between letters.')])
call(
  'Edit',
  {
    file_path: `${cwd}/src/wordcount.js`,
    old_string: '/\\p{L}+/gu',
    new_string: "/\\p{L}+(?:['’]\\p{L}+)*/gu"
  },
  `The file ${cwd}/src/wordcount.js has been updated.`,
  {
    took: 31,
    structured: {
      filePath: `${cwd}/src/wordcount.js`,
      structuredPatch: [
        {
          oldStart: 1,
          oldLines: 1,
          newStart: 1,
          newLines: 1,
          lines: [
            '-  return text.match(/\\p{L}+/gu)?.length ?? 0',
            "+  return text.match(/\\p{L}+(?:['’]\\p{L}+)*/gu)?.length ?? 0"
          ]
        }
      ]
    }
  }
)
// Two lines glued together, as a crash between two writes leaves them.
const glued = JSON.stringify({ type: 'system', subtype: 'status', status: 'requesting', session_id: session })
lines.push(glued.slice(0, 52) + glued)
call(
  'Bash',
  { command: 'node --test --test-reporter=tap test/', description: 'Run the tests again' },
  'TAP version 13\nok 1 - counts words\nok 2 - empty text\nok 3 - grüße слово can’t\n1..3\n# pass 3\n# fail 0',
  { took: 1102 }
)
list('cccccp', ['c Handle empty text and double spaces'])
list('cccccc', ['c Handle empty text and double spaces'])
assistant(3100, [
  text(
    'All three tests pass.\n\n- `src/wordcount.js` counts runs of letters, so empty texts, double spaces and other scripts are right.\n- `test/wordcount.test.js` covers the three cases.\n- The helper found that the README does not mention Unicode; its two sentences are in `notes.md`.'
  )
])
result(250, 16, 452_400, 0.1406, 'All three tests pass.')

// ---- turn 3: short ----
now += 41_000
init()
prompt(30, 'Now make it handle combining marks, too.')
thinkingTokens(2)
todos(['i Find out how combining marks are counted', 'p Add a test with e + U+0301', 'p Report the result'])
call(
  'Bash',
  {
    command: `node -e "import('./src/wordcount.js').then(m => console.log(m.countWords('cafe\\u0301 bar')))"`,
    description: 'Try it'
  },
  '2',
  { took: 61 }
)
todos(['c Find out how combining marks are counted', 'i Add a test with e + U+0301', 'p Report the result'])
call(
  'Edit',
  {
    file_path: `${cwd}/test/wordcount.test.js`,
    old_string: "test('empty text'",
    new_string: "test('combining marks', () => assert.equal(countWords('cafe\\u0301 bar'), 2))\ntest('empty text'"
  },
  `The file ${cwd}/test/wordcount.test.js has been updated.`,
  { took: 28 }
)
call(
  'Bash',
  { command: 'npm test --silent', description: 'Run all tests' },
  'TAP version 13\nok 1 - counts words\nok 2 - combining marks\nok 3 - empty text\nok 4 - grüße слово can’t\n1..4\n# pass 4\n# fail 0',
  { took: 913 }
)
todos(['c Find out how combining marks are counted', 'c Add a test with e + U+0301', 'c Report the result'])
assistant(1500, [text('Combining marks were counted rightly before; a test says so now.')])
result(210, 6, 12_300, 0.1873, 'Combining marks were counted rightly before; a test says so now.')

/** A bar chart as a PNG: four colours, and no compression, so that its bytes are the same everywhere. */
function chart(heights, width = 320, height = 120) {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width / 4)
    for (let x = 0; x < width; x++) {
      const bar = Math.floor((x - 16) / 32)
      const inBar = x >= 16 && (x - 16) % 32 < 24 && bar < heights.length
      const color =
        y >= height - 14 && y < height - 12
          ? 1
          : inBar && y < height - 14 && height - 18 - y < heights[bar]
            ? 2 + (bar % 2)
            : 0
      row[1 + (x >> 2)] |= color << (6 - 2 * (x & 3))
    }
    return row
  })
  const raw = Buffer.concat(rows)
  const stored = Buffer.alloc(5)
  stored[0] = 1
  stored.writeUInt16LE(raw.length, 1)
  stored.writeUInt16LE(0xffff - raw.length, 3)
  let [a, b] = [1, 0]
  for (const byte of raw) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(b * 65_536 + a)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([2, 3, 0, 0, 0], 8)
  const palette = Buffer.from('f5f6fa5b6275' + '1f5fd6' + '14783c', 'hex')
  const data = Buffer.concat([Buffer.from([0x78, 0x01]), stored, raw, sum])
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    ...[pngPart('IHDR', head), pngPart('PLTE', palette), pngPart('IDAT', data), pngPart('IEND', Buffer.alloc(0))]
  ]).toString('base64')
}

function pngPart(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

function crc32(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

// ---- turn 4: the web, tools of servers, a picture, colours, an edit that fails ----
now += 96_000
init()
prompt(30, 'Add a page that shows word counts as a chart, and look at it in the browser.')
thinkingTokens(2)
call(
  'WebFetch',
  { url: 'https://unicode.org/reports/tr29/', prompt: 'How are words told apart?' },
  "## Word boundaries\n\nUnicode divides text into words by **default rules**:\n\n| Rule | Between | Break |\n| --- | --- | --- |\n| WB5 | two letters | no |\n| WB6 | a letter and an apostrophe before a letter | no |\n| WB999 | anything else | yes |\n\n```js\nconst words = new Intl.Segmenter('en', { granularity: 'word' })\n```",
  { took: 1310 }
)
call(
  'mcp__tracker__search',
  { project: 'wordcount', state: 'open', label: ['chart', 'ui'] },
  [
    {
      type: 'text',
      text: JSON.stringify({
        total: 2,
        issues: [
          {
            id: 41,
            title: 'Show counts as a chart',
            author: { name: 'Ada' },
            votes: 7,
            labels: ['chart'],
            closed: null
          },
          { id: 38, title: 'Dark colours', author: { name: 'Linus' }, votes: 2, labels: ['ui'], closed: null }
        ]
      })
    }
  ],
  { took: 210 }
)
call(
  'Write',
  {
    file_path: `${cwd}/page/chart.js`,
    content:
      "import { countWords } from '../src/wordcount.js'\n\n/** A bar for each text, as high as it has words. */\nexport function chart(texts) {\n  const most = Math.max(1, ...texts.map(countWords))\n  return texts.map((text) => `<i style=\"height:${(100 * countWords(text)) / most}%\"></i>`).join('')\n}\n"
  },
  'File created successfully at: page/chart.js',
  { took: 33 }
)
call(
  'Edit',
  {
    file_path: `${cwd}/package.json`,
    old_string: '"test": "node --test"',
    new_string: '"test": "node --test",\n    "page": "node page/serve.js"'
  },
  '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
  { took: 4, error: true }
)
call(
  'Bash',
  { command: 'npx eslint --color src page && npm test -- --color', description: 'Check and test, in colours' },
  '\u001b[4mpage/chart.js\u001b[0m\n  \u001b[2m6:30\u001b[0m  \u001b[33mwarning\u001b[0m  Build elements, not markup  \u001b[2mno-html-strings\u001b[0m\n\n\u001b[33m\u001b[1m✖ 1 problem (0 errors, 1 warning)\u001b[0m\n\n\u001b[32m✔ counts words\u001b[0m \u001b[2m(0.7ms)\u001b[0m\n\u001b[32m✔ combining marks\u001b[0m \u001b[2m(0.2ms)\u001b[0m\n\u001b[32m✔ empty text\u001b[0m \u001b[2m(0.1ms)\u001b[0m\n\u001b[32m✔ grüße слово can’t\u001b[0m \u001b[2m(0.3ms)\u001b[0m\n\u001b[36mℹ pass 4\u001b[0m\n\u001b[36mℹ fail 0\u001b[0m',
  { took: 2140 }
)
call(
  'mcp__browser__screenshot',
  { url: 'http://localhost:8080/page/', viewport: { width: 320, height: 120 } },
  [
    { type: 'text', text: 'The page at 320×120.' },
    {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: chart([30, 52, 41, 78, 64, 90, 57, 22, 70]) }
    }
  ],
  { took: 640 }
)
assistant(2400, [
  text(
    'The chart is drawn.\n\n1. `page/chart.js` makes a bar for each text.\n2. The linter asks for elements instead of markup; I would do that next.\n\n> `package.json` has no script for the page yet: it has to be read before it is edited.'
  )
])
result(240, 8, 21_400, 0.2409, 'The chart is drawn.')

writeFileSync(new URL('./sample-run.jsonl', import.meta.url), lines.join('\n') + '\n')
