import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))

/** What each layer may import (design.md section 2) and what the linter has to refuse. */
const layers: Record<string, { allowed: string[]; refused: string[] }> = {
  core: {
    allowed: ['zod', 're2js', './events/todo.ts', '../core-like.ts', '#core/json.ts'],
    refused: [
      'node:fs',
      'fs',
      'electron',
      'react',
      'ws',
      '#contract/methods.ts',
      '#backend/handlers.ts',
      '#renderer/app.tsx',
      '../contract/methods.ts',
      '../../cli/index.ts'
    ]
  },
  contract: {
    allowed: ['zod', './methods.ts', '#core/json.ts', '#contract/methods.ts'],
    refused: [
      'node:fs',
      'electron',
      'ws',
      '#backend/handlers.ts',
      '../core/json.ts',
      '../backend/handlers.ts',
      '#server/server.ts'
    ]
  },
  queries: {
    allowed: ['./log-pages.ts', '../queries-like.ts', '#core/json.ts', '#contract/methods.ts'],
    refused: [
      'node:fs',
      'electron',
      'react',
      'ws',
      '#backend/handlers.ts',
      '#renderer/app.tsx',
      '../backend/handlers.ts',
      '../../contract/methods.ts'
    ]
  },
  backend: {
    allowed: [
      'node:fs',
      'zod',
      './handlers.ts',
      '../backend-like.ts',
      '#core/json.ts',
      '#contract/methods.ts',
      '#queries/log-pages.ts'
    ],
    refused: [
      'electron',
      'electron/main',
      '#server/server.ts',
      '#cli/index.ts',
      '#main/index.ts',
      '#renderer/app.tsx',
      '../server/server.ts',
      '../../main/index.ts',
      '../core/json.ts',
      '../queries/log-pages.ts'
    ]
  },
  server: {
    allowed: ['node:http', 'ws', './server.ts', '#core/json.ts', '#contract/serve.ts', '#backend/handlers.ts'],
    refused: [
      'electron',
      '#cli/index.ts',
      '#main/index.ts',
      '#preload/index.ts',
      '#renderer/app.tsx',
      '../backend/handlers.ts',
      '../cli/index.ts'
    ]
  },
  cli: {
    allowed: [
      'node:util',
      './check.ts',
      '#core/json.ts',
      '#contract/methods.ts',
      '#backend/handlers.ts',
      '#server/server.ts'
    ],
    refused: [
      'electron',
      '#main/index.ts',
      '#preload/index.ts',
      '#renderer/app.tsx',
      '../server/server.ts',
      '../main/index.ts'
    ]
  },
  main: {
    allowed: ['electron', 'node:path', './window.ts', '#core/json.ts', '#contract/serve.ts', '#backend/handlers.ts'],
    refused: [
      '#cli/index.ts',
      '#server/server.ts',
      '#preload/index.ts',
      '#renderer/app.tsx',
      '../backend/handlers.ts',
      '../server/server.ts'
    ]
  },
  preload: {
    allowed: ['electron', '#contract/port-message.ts'],
    refused: ['node:fs', '#core/json.ts', '#backend/handlers.ts', '#main/index.ts', '../contract/methods.ts', 'zod']
  },
  renderer: {
    allowed: ['react', 'zustand', 'zod', './app.tsx', '../ui/button.tsx', '#core/json.ts', '#contract/client.ts'],
    refused: [
      'electron',
      'node:fs',
      '#queries/log-pages.ts',
      '#backend/handlers.ts',
      '#cli/index.ts',
      '#main/index.ts',
      '#preload/index.ts',
      '#server/server.ts',
      '../main/index.ts',
      '../../backend/handlers.ts',
      '../core/json.ts'
    ]
  },
  share: {
    allowed: [
      'react',
      './page-reviews.ts',
      '#core/json.ts',
      '#contract/client.ts',
      '#queries/fixed-log.ts',
      '#renderer/app.tsx'
    ],
    refused: [
      'electron',
      'node:fs',
      '#backend/handlers.ts',
      '#cli/index.ts',
      '#main/index.ts',
      '#preload/index.ts',
      '#server/server.ts',
      '../queries/fixed-log.ts',
      '../renderer/app.tsx'
    ]
  }
}

/** The ways an import can be written; each has to be refused alike. */
const ways: Record<string, (specifier: string) => string> = {
  value: (specifier) => `import { a } from '${specifier}'\nexport const b = a\n`,
  type: (specifier) => `import type { A } from '${specifier}'\nexport type B = A\n`,
  reexport: (specifier) => `export { a } from '${specifier}'\n`,
  dynamic: (specifier) => `export const a = import('${specifier}')\n`
}

/** Code that no import shows. */
const code: [name: string, refused: boolean, layer: string, text: string][] = [
  ['a Node global in core', true, 'core', 'export const a = process.pid\n'],
  ['Buffer in core', true, 'core', "export const a = Buffer.from('a')\n"],
  ['a DOM global in core', true, 'core', 'export const a = document.title\n'],
  ['the console in core', true, 'core', "console.log('a')\n"],
  // What it prints may quote a log that steers the terminal: `report` is the one way there.
  ['the console in the backend', true, 'backend', "console.error('a')\n"],
  ['the console in main', true, 'main', "console.error('a')\n"],
  ['the clock in core', true, 'core', 'export const a = Date.now()\n'],
  ['chance in core', true, 'core', 'export const a = Math.random()\n'],
  ['Buffer in queries', true, 'queries', "export const a = Buffer.from('a')\n"],
  ['a DOM global in queries', true, 'queries', 'export const a = document.title\n'],
  ['a Node global in the renderer', true, 'renderer', 'export const a = process.pid\n'],
  ['the clock in the backend', false, 'backend', 'export const a = Date.now()\n'],
  ['reading a date in core', false, 'core', "export const a = Date.parse('2026-01-01')\n"]
]

interface Case {
  readonly name: string
  readonly refused: boolean
  readonly file: string
  readonly text: string
}

const cases: Case[] = [
  ...Object.entries(layers).flatMap(([layer, { allowed, refused }]) =>
    [
      ...allowed.map((specifier) => [specifier, false] as const),
      ...refused.map((specifier) => [specifier, true] as const)
    ].flatMap(([specifier, isRefused], i) =>
      Object.entries(ways).map(([way, write]) => ({
        name: `${layer} ${isRefused ? 'must not' : 'may'} import ${specifier} (${way})`,
        refused: isRefused,
        file: `src/${layer}/case-${i}-${way}.ts`,
        text: write(specifier)
      }))
    )
  ),
  ...code.map(([name, refused, layer, text], i) => ({ name, refused, file: `src/${layer}/code-${i}.ts`, text })),
  {
    name: 'a cycle',
    refused: true,
    file: 'src/core/cycle-a.ts',
    text: "import { b } from './cycle-b.ts'\nexport const a = (): unknown => b\n"
  },
  {
    name: 'the other half of it',
    refused: true,
    file: 'src/core/cycle-b.ts',
    text: "import { a } from './cycle-a.ts'\nexport const b = (): unknown => a\n"
  }
]

/** Files of the tree that the linter complained about, with what it said. */
const complaints = new Map<string, string[]>()

beforeAll(async () => {
  const tree = mkdtempSync(join(tmpdir(), 'playhead-layers-'))
  copyFileSync(join(repository, '.oxlintrc.json'), join(tree, '.oxlintrc.json'))
  for (const { file, text } of cases) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  const linter = resolve(repository, 'node_modules/oxlint/bin/oxlint')
  const output = await new Promise<string>((done) => {
    const options = { cwd: tree, maxBuffer: 64 * 1024 * 1024 }
    execFile(
      process.execPath,
      [linter, '-c', '.oxlintrc.json', '--format', 'json', 'src'],
      options,
      (_failed, stdout) => done(stdout)
    )
  })
  rmSync(tree, { recursive: true })
  const report = JSON.parse(output) as { diagnostics: { filename: string; code: string; message: string }[] }
  for (const { filename, code: rule, message } of report.diagnostics) {
    complaints.set(filename, [...(complaints.get(filename) ?? []), `${rule}: ${message}`])
  }
})
afterAll(() => complaints.clear())

describe('layers', () => {
  test.each(cases)('$name', ({ refused, file }) => {
    const said = complaints.get(file) ?? []
    if (refused) expect(said.join('\n')).toMatch(/no-restricted|no-cycle|no-console/)
    else expect(said).toEqual([])
  })
})

/** What only one vendor calls so: fields of records, words in them, and tools. */
const vendorWords =
  /toolUseResult|structuredPatch|<synthetic>|toolDenialKind|tool_result_meta|isSidechain|parentUuid|resultDisplay|diffString|editToolCall|aggregated_output|function_call|cache_read_input_tokens|cached_input_tokens|cacheReadTokens|inlineData|inline_data|image_generation_call|input_image|xit code:\?|Wall time:|Chunk ID|\(opus|\^gemini|'(?:claude|codex|gemini|cursor)'|AskUserQuestion|request_user_input|ask_user|'(?:Claude Code|OpenAI Codex|Codex|Google Gemini|Gemini CLI|Cursor)'/

test('nothing after the formats names what only one vendor has', () => {
  const named = ['core', 'queries', 'renderer', 'share', 'contract'].flatMap((layer) =>
    readdirSync(join(repository, 'src', layer), { recursive: true, encoding: 'utf8' })
      .map((path) => `${layer}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !/^core\/formats\/|\.test\.tsx?$|\/test-[^/]*$/.test(path))
      .filter((path) => vendorWords.test(readFileSync(join(repository, 'src', path), 'utf8')))
  )
  expect(named).toEqual([])
})

const vendorName = /claude|codex|gemini|anthropic|openai|formats\/cursor|cursor-agent|'Cursor/i

/** Why a file outside the formats may name a vendor in its code. */
const namesVendors: Readonly<Record<string, string>> = {
  'core/index.ts': 'the public parsers have the names of their formats',
  'core/export/secrets/format-rows.ts': 'a kind of secret has the name of its issuer',
  'core/export/secrets/secret-formats.ts': 'a kind of secret has the name of its issuer',
  'core/requests/platform-names.ts': 'platforms put the vendor into the name of a model',
  'contract/live-runs.ts': 'it lists the agents that can be started',
  ...Object.fromEntries(
    [
      ...['core/bridge/run-stream.ts', 'backend/tasks/task-store.ts', 'backend/live-runs/hook-lines.ts'],
      ...['backend/live-runs/rebuild-stream.ts', 'backend/live-runs/shrink-stream.ts', 'cli/hook.ts'],
      ...['cli/hook-settings.ts', 'cli/receive-hook.ts', 'cli/store-hook.ts']
    ].map((path) => [path, 'it imports the protocol of the tool hook, which one agent has'])
  )
}

test('outside the formats only the listed files name a vendor in their code', () => {
  const named = readdirSync(join(repository, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/^core\/formats\/|\.test\.tsx?$|\/test-[^/]*$/.test(path))
    .filter((path) => vendorName.test(withoutComments(readFileSync(join(repository, 'src', path), 'utf8'))))
  expect(named.toSorted()).toEqual(Object.keys(namesVendors).toSorted())
})

/** A comment may give a vendor's log as an example. */
function withoutComments(code: string): string {
  return code.replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}
