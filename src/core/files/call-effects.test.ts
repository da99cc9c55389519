import { describe, expect, test } from 'vitest'
import { agents } from '../formats/agents.ts'
import { claudeTranscript } from '../formats/claude/transcript.ts'
import { codexRollout } from '../formats/codex/rollout.ts'
import { cursorStreamJson } from '../formats/cursor/stream-json.ts'
import { geminiChat } from '../formats/gemini/chat.ts'
import { opencode } from '../formats/opencode/opencode.ts'
import { openhands } from '../formats/openhands/openhands.ts'
import { pi } from '../formats/pi/pi.ts'
import { qwen } from '../formats/qwen/qwen.ts'
import type { LogFormat } from '../formats/log-format.ts'
import type { JsonObject } from '../json.ts'
import {
  claudeBash,
  claudeCall,
  claudeRead,
  codexCall,
  codexPatch,
  codexStart,
  filesOf
} from '../../../test/files-of.ts'
import { readOutput } from '../tools/read-output.ts'
import { toolUse } from '../tools/tool-use.ts'
import { staleOf } from './file-state.ts'

/** The content of a file after these records; `stale`: the cause, if it may have changed. */
async function known(format: LogFormat, path: string, ...records: readonly JsonObject[]) {
  const { file, contents, index } = await filesOf(format, records)
  const content = file(path)
  const doubts = contents.files.doubtsOf(index, contents.files.numberOf(path), Infinity)
  return { content, text: content.text, stale: staleOf(content, doubts)?.effect ?? null }
}

const claude = async (path: string, ...records: readonly JsonObject[]) =>
  await known(claudeTranscript, path, ...records)
const codex = async (path: string, ...records: readonly JsonObject[]) =>
  await known(codexRollout, path, codexStart, ...records)

const edit = (oldString: string, newString: string, more: JsonObject = {}): JsonObject[] =>
  claudeCall(
    'Edit',
    { file_path: '/w/a.ts', old_string: oldString, new_string: newString },
    { filePath: '/w/a.ts', oldString, newString, structuredPatch: [], userModified: false, replaceAll: false, ...more }
  )

describe('records of Claude Code', () => {
  test('an edit by nothing takes the line end', async () => {
    const { text } = await claude('a.ts', ...claudeRead('/w/a.ts', 'one\ntwo\nthree\n'), ...edit('two', ''))
    expect(text).toBe('one\nthree\n')
  })

  test('the lines of structuredPatch are for display', async () => {
    const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-  one', '+  two'] }]
    const more = { originalFile: '\tone\n', structuredPatch }
    expect((await claude('a.ts', ...edit('\tone', '\ttwo', more))).text).toBe('\ttwo\n')
  })

  test('a read may number lines from 0', async () => {
    expect((await claude('a.ts', ...claudeRead('/w/a.ts', 'one\ntwo\n', 0))).text).toBe('one\ntwo\n')
  })

  test('blank lines at the end of `head -3` do not end the file', async () => {
    const { content, text } = await claude('a.ts', ...claudeBash('head -3 /w/a.ts', 'one'))
    expect(text).toBe(null)
    expect(content.lines.map((line) => line?.text)).toEqual(['one'])
  })

  test('what a shell prints when it starts is not in the file', async () => {
    const printed = claudeBash('cat a.ts', 'Now using node v20.1.0 (npm v10.1.0)\none\ntwo')
    expect((await claude('/w/a.ts', ...printed)).text).toBe('one\ntwo\n')
  })

  test('of an edit that the user changed, the result counts', async () => {
    const records = claudeCall(
      'Edit',
      { file_path: '/w/a.ts', old_string: 'one', new_string: 'asked' },
      { filePath: '/w/a.ts', oldString: 'one', newString: 'changed', originalFile: 'one\n', userModified: true }
    )
    expect((await claude('a.ts', ...records)).text).toBe('changed\n')
  })

  test('a result without notes is read from its text', async () => {
    const arrows = claudeCall(
      'Read',
      { file_path: '/w/a.ts' },
      undefined,
      '     1→one\n     2→two\n     3→\n\n<system-reminder>\nbe careful\n</system-reminder>'
    )
    expect((await claude('a.ts', ...arrows)).text).toBe('one\ntwo\n')
    const tabs = claudeCall('Read', { file_path: '/w/a.ts' }, undefined, '1\tone\n2\ttwo\n3\t')
    expect((await claude('a.ts', ...tabs)).text).toBe('one\ntwo\n')
    const part = claudeCall('Read', { file_path: '/w/a.ts', offset: 5, limit: 2 }, undefined, '     5→five\n     6→six')
    expect((await claude('a.ts', ...part)).content).toMatchObject({ total: null, knownLines: 2 })
  })

  test('a second read of an unchanged file confirms it', async () => {
    const unchanged = claudeCall(
      'Read',
      { file_path: '/w/a.ts' },
      { type: 'file_unchanged', file: { filePath: '/w/a.ts' } }
    )
    const before = [...claudeRead('/w/a.ts', 'one\n'), ...claudeBash('make')]
    expect(await claude('a.ts', ...before)).toMatchObject({ text: 'one\n', stale: 'check' })
    expect(await claude('a.ts', ...before, ...unchanged)).toMatchObject({ text: 'one\n', stale: null })
    const said = claudeCall(
      'Read',
      { file_path: '/w/a.ts' },
      undefined,
      'Wasted call — file unchanged since your last Read.'
    )
    expect(await claude('a.ts', ...before, ...said)).toMatchObject({ text: 'one\n', stale: null })
  })

  test('a copy of a call in a resumed log has no effect', async () => {
    const records = [...claudeRead('/w/a.ts', 'one\n'), ...edit('one', 'two one')]
    const { contents } = await filesOf(claudeTranscript, [...records, ...records])
    expect(contents.contents[0]?.text).toBe('two one\n')
  })

  test('a write tells whether the file is new', async () => {
    const write = (type: string, more: JsonObject = {}): JsonObject[] =>
      claudeCall(
        'Write',
        { file_path: '/w/a.ts', content: 'x\n' },
        { type, filePath: '/w/a.ts', content: 'x\n', structuredPatch: [], ...more }
      )
    const made = await filesOf(claudeTranscript, write('create'))
    expect(made.contents.files.counts(made.index, Infinity)).toMatchObject([{ created: true, edits: 1, reads: 0 }])
    expect([...made.contents.former.values()]).toEqual([{ exists: false }])
    const replaced = await filesOf(claudeTranscript, write('update', { originalFile: 'old\n' }))
    expect(replaced.contents.files.counts(replaced.index, Infinity)).toMatchObject([{ created: false }])
    expect([...replaced.contents.former.values()]).toEqual([{ exists: true, text: 'old\n' }])
    expect([...(await filesOf(claudeTranscript, write('update'))).contents.former.values()]).toEqual([null])
  })

  test('a failed edit changes nothing', async () => {
    const failed = claudeCall(
      'Edit',
      { file_path: '/w/a.ts', old_string: 'one', new_string: 'x' },
      'Error: no',
      '<tool_use_error>no</tool_use_error>'
    )
    expect((await claude('a.ts', ...claudeRead('/w/a.ts', 'one\n'), ...failed)).text).toBe('one\n')
  })

  test('a hook after an edit may have formatted the file', async () => {
    const [call, result] = edit('one', 'two')
    const hook: JsonObject = {
      ...{ type: 'progress', uuid: 'h', sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z' },
      data: { type: 'hook_progress', hookEvent: 'PostToolUse', hookName: 'PostToolUse:Edit', command: 'fmt.sh' }
    }
    const read = claudeRead('/w/a.ts', 'one\n')
    expect(await claude('a.ts', ...read, call ?? {}, hook, result ?? {})).toMatchObject({
      text: 'two\n',
      stale: 'format'
    })
    expect(await claude('a.ts', ...read, call ?? {}, result ?? {})).toMatchObject({ text: 'two\n', stale: null })
  })

  test('paths begin in the folder of the record, which moves', async () => {
    const { contents } = await filesOf(claudeTranscript, [
      ...claudeBash('cat a.ts', 'one'),
      ...claudeBash('cat a.ts', 'two', { cwd: '/w/sub' })
    ])
    expect(contents.files.paths).toEqual(['/w/a.ts', '/w/sub/a.ts'])
  })

  test('a cut output is no look', async () => {
    const { content } = await claude('a.ts', ...claudeBash('cat a.ts', 'one\n\n... [120 lines truncated] ...\n\nlast'))
    expect(content.knownLines).toBe(0)
  })
})

describe('commands', () => {
  test('a here-document writes a file, and one that expands makes it doubtful', async () => {
    expect((await claude('a.ts', ...claudeBash("cat > a.ts <<'EOF'\none $x\nEOF"))).text).toBe('one $x\n')
    const both = await claude('a.ts', ...claudeRead('/w/a.ts', 'one\n'), ...claudeBash('cat >> a.ts <<EOF\n$x\nEOF'))
    expect(both).toMatchObject({ text: 'one\n', stale: 'write' })
    expect(
      (await claude('a.ts', ...claudeRead('/w/a.ts', 'one\n'), ...claudeBash("cat >> a.ts <<'EOF'\ntwo\nEOF"))).text
    ).toBe('one\ntwo\n')
  })

  test.each([
    ['ls -la', null],
    ['grep -rn x . | head', null],
    ['npm test', 'check'],
    ['prettier --write .', 'format'],
    ['git checkout main', 'git'],
    ['git commit -m x', 'commit'],
    ["python - <<'EOF'\nopen('b')\nEOF", 'unknown'],
    ["sed -i 's/a/b/' a.ts", 'write'],
    ["sed -i 's/a/b/' other.ts", null],
    ["sed -i 's/a/b/' *.ts", 'write'],
    ['cp b.ts /w/a.ts', 'move'],
    ['rm -rf sub', null],
    ['rm -r /w', 'move'],
    ['mkdir -p /w/new && touch /w/a.ts', null],
    ['echo x > a.ts', 'write'],
    ['echo x > "$F"', 'write'],
    ['cd sub && echo x > b.ts', null]
  ])('%s', async (command, stale) => {
    expect(await claude('/w/a.ts', ...claudeRead('/w/a.ts', 'one\n'), ...claudeBash(command))).toMatchObject({
      text: 'one\n',
      stale
    })
  })

  test('files that are deleted and moved by their names', async () => {
    expect((await claude('a.ts', ...claudeRead('/w/a.ts', 'one\n'), ...claudeBash('rm a.ts'))).content.deleted).toBe(
      true
    )
    const { file } = await filesOf(claudeTranscript, [
      ...claudeRead('/w/a.ts', 'one\n'),
      ...claudeBash('git mv a.ts b.ts')
    ])
    expect([file('a.ts').deleted, file('b.ts').text]).toEqual([true, 'one\n'])
  })
})

describe('records of Codex', () => {
  test('what commands print', async () => {
    expect((await codex('a.py', ...codexCall('cat a.py', 'one\ntwo\n'))).text).toBe('one\ntwo\n')
    expect((await codex('a.py', ...codexCall("sed -n '1,200p' a.py", 'one\ntwo\n'))).text).toBe('one\ntwo\n')
    expect((await codex('a.py', ...codexCall("sed -n '1,2p' a.py", 'one\ntwo\n'))).content.total).toBe(null)
    expect((await codex('a.py', ...codexCall('nl -ba a.py | head -n 9', '     1\tone\n     2\ttwo\n'))).text).toBe(
      'one\ntwo\n'
    )
    const { contents } = await filesOf(codexRollout, [codexStart, ...codexCall('cat a.py', 'x\n', '/v')])
    expect(contents.files.paths).toEqual(['/v/a.py'])
  })

  test('a patch is placed by its context', async () => {
    const patch = '*** Begin Patch\n*** Update File: a.py\n@@\n one\n-two\n+2\n*** Add File: b.py\n+new\n*** End Patch'
    const records = [codexStart, ...codexCall('cat a.py', 'one\ntwo\n'), ...codexPatch(patch)]
    const { file } = await filesOf(codexRollout, records)
    expect([file('a.py').text, file('b.py').text]).toEqual(['one\n2\n', 'new\n'])
  })

  test('the numbered changes of its end count', async () => {
    const changes = {
      '/w/a.py': { type: 'update', unified_diff: '@@ -2,1 +2,2 @@\n two\n+three\n', move_path: null },
      '/w/b.py': { type: 'add', content: 'new\n' }
    }
    const end = {
      ...{ timestamp: '2026-01-01T00:00:01Z', type: 'event_msg' },
      payload: { type: 'patch_apply_end', call_id: 'exec-1', success: true, stdout: 'Success.', stderr: '', changes }
    }
    const { file } = await filesOf(codexRollout, [codexStart, ...codexCall('cat a.py', 'one\ntwo\nfour\n'), end])
    expect([file('a.py').text, file('b.py').text]).toEqual(['one\ntwo\nthree\nfour\n', 'new\n'])
  })
})

test('a fuzzy replacement of Gemini CLI: the new content counts', async () => {
  const resultDisplay = {
    ...{ fileName: 'a.md', filePath: '/w/a.md', fileDiff: '@@ -1 +1 @@\n-# Red\n+# Blue\n' },
    ...{ originalContent: '#  Red\n', newContent: '# Blue\n' }
  }
  const call = {
    ...{ id: 'replace-1', name: 'replace', args: { file_path: '/w/a.md', old_string: '# Red', new_string: '# Blue' } },
    ...{ status: 'success', timestamp: '2026-01-01T00:00:00.000Z', resultDisplay },
    result: [{ functionResponse: { id: 'replace-1', name: 'replace', response: { output: 'ok' } } }]
  }
  const message = { id: 'm', timestamp: '2026-01-01T00:00:00.000Z', type: 'gemini', content: '', toolCalls: [call] }
  const head = {
    sessionId: 's',
    projectHash: 'p',
    startTime: '2026-01-01T00:00:00.000Z',
    lastUpdated: '2026-01-01T00:00:00.000Z',
    kind: 'main'
  }
  expect((await known(geminiChat, 'a.md', head, message)).text).toBe('# Blue\n')
})

test('an edit of Cursor: the whole file after it counts', async () => {
  const toolCall = (more: JsonObject): JsonObject => ({
    editToolCall: { args: { path: '/w/a.ts', streamContent: 'x' }, ...more }
  })
  const record = (subtype: string, more: JsonObject): JsonObject => ({
    ...{ type: 'tool_call', subtype, call_id: 'c', session_id: 's', model_call_id: 'm' },
    tool_call: toolCall(more)
  })
  const success = {
    path: '/w/a.ts',
    linesAdded: 1,
    linesRemoved: 0,
    diffString: '+ one',
    afterFullFileContent: 'one\n'
  }
  const records = [record('started', {}), record('completed', { result: { success } })]
  expect((await known(cursorStreamJson, 'a.ts', ...records)).text).toBe('one\n')
})

const time = '2026-01-01T00:00:00.000Z'
const linesOf = (content: { lines: readonly ({ text: string } | null)[] }) =>
  content.lines.map((line) => line?.text ?? null)

test('the inspector counts lines as the files do', () => {
  const [asked, note] = [{ path: 'a', offset: 3, limit: 2 }, '[5 more lines in file. Use offset=5 to continue]']
  expect(toolUse('read', asked, agents.pi)).toMatchObject({ what: 'read', first: 3 })
  expect(toolUse('read_file', asked, agents['qwen-code'])).toMatchObject({ what: 'read', first: 4 })
  expect(readOutput(`three\nfour\n\n${note}`, 9, agents.pi)).toEqual({
    ...{ before: '', first: 3, text: 'three\nfour', after: note }
  })
})

describe('records of pi', () => {
  const head = { type: 'session', version: 3, id: 's', timestamp: time, cwd: '/w' }
  const said = (message: JsonObject): JsonObject => ({
    type: 'message',
    id: 'm',
    parentId: 'p',
    timestamp: time,
    message
  })
  const call = (name: string, input: JsonObject, output: string): JsonObject[] => [
    said({
      ...{ role: 'assistant', provider: 'p', model: 'm', stopReason: 'toolUse' },
      content: [{ type: 'toolCall', id: `${name} ${JSON.stringify(input)}`, name, arguments: input }]
    }),
    said({
      ...{ role: 'toolResult', toolCallId: `${name} ${JSON.stringify(input)}`, toolName: name, isError: false },
      content: [{ type: 'text', text: output }]
    })
  ]
  const pis = async (...records: readonly JsonObject[]) => await known(pi, 'a.ts', head, ...records)
  const input = { path: '/w/a.ts' }

  test('a read of a part ends with a note, which is no line', async () => {
    const note = '\n\n[3 more lines in file. Use offset=4 to continue]'
    const { content } = await pis(...call('read', { ...input, offset: 2, limit: 2 }, `two\n${note}`))
    expect(linesOf(content)).toEqual([null, 'two', '', null, null, null])
    const shown = '\n\n[Showing lines 1-2 of 6 (50.0KB limit). Use offset=3 to continue.]'
    expect(linesOf((await pis(...call('read', input, `one\ntwo${shown}`))).content)).toEqual([
      ...['one', 'two'],
      ...[null, null, null, null]
    ])
    // What follows is the rest of the file.
    const rest = call('read', { ...input, offset: 3 }, 'three\nfour\nfive\n')
    expect((await pis(...call('read', input, `one\ntwo${shown}`), ...rest)).text).toBe('one\ntwo\nthree\nfour\nfive\n')
  })

  test('a list in brackets is a file, a note about it is not', async () => {
    expect((await pis(...call('read', input, '[\n1\n]\n'))).text).toBe('[\n1\n]\n')
    const large = '[Line 1 is 80KB, exceeds 50KB limit. Use bash: head -c 51200]'
    expect((await pis(...call('read', input, large))).content.knownLines).toBe(0)
  })

  test('several texts are replaced by one call', async () => {
    const edits = [
      { oldText: 'one', newText: '1' },
      { oldText: 'two', newText: '2' }
    ]
    const records = [
      ...call('read', input, 'one\ntwo\n'),
      ...call('edit', { ...input, edits }, 'Successfully replaced.')
    ]
    expect((await pis(...records)).text).toBe('1\n2\n')
  })

  test('lines that the agent cut are not known', async () => {
    const long = 'x'.repeat(2000)
    const { content } = await pis(...call('read', input, `one\n${long}\nthree\n`))
    expect(linesOf(content)).toEqual(['one', null, 'three', ''])
  })
})

describe('records of opencode', () => {
  const part = (tool: string, input: JsonObject, output: string): JsonObject => ({
    ...{ type: 'tool_use', timestamp: 1782797648450, sessionID: 's' },
    part: {
      ...{ type: 'tool', tool, callID: `${tool} ${JSON.stringify(input)}` },
      state: { status: 'completed', input, output, time: { start: 1782797648200, end: 1782797648350 } }
    }
  })
  const read = (text: string, more: JsonObject = {}): JsonObject => part('read', { filePath: '/w/a.ts', ...more }, text)
  const wrapped = (body: string): string => `<path>/w/a.ts</path>\n<type>file</type>\n<content>\n${body}\n</content>`

  test('the lines of a read stand between tags', async () => {
    const whole = wrapped('1: one\n2: \n3: 4: x\n\n(End of file - total 3 lines)')
    expect((await known(opencode, 'a.ts', read(whole))).text).toBe('one\n\n4: x\n')
    const some = wrapped('7: seven\n\n(Showing lines 7-7 of 9. Use offset=8 to continue.)')
    expect(linesOf((await known(opencode, 'a.ts', read(some, { offset: 7, limit: 1 }))).content)).toEqual([
      ...[null, null, null, null, null, null],
      'seven'
    ])
    const older = '<file>\n00001| one\n00002| \n\n(End of file - total 2 lines)\n</file>'
    expect((await known(opencode, 'a.ts', read(older))).text).toBe('one\n')
    const folder = '<path>/w</path>\n<type>directory</type>\n<entries>\na.ts\n</entries>'
    expect((await known(opencode, 'a.ts', read(folder))).content.knownLines).toBe(0)
  })

  test('a formatter may run after an edit', async () => {
    const edit = part('edit', { filePath: '/w/a.ts', oldString: 'one', newString: 'two' }, '')
    const whole = wrapped('1: one\n\n(End of file - total 1 lines)')
    expect(await known(opencode, 'a.ts', read(whole), edit)).toMatchObject({ text: 'two\n', stale: 'format' })
  })
})

test('a part of a file has a head in Qwen Code', async () => {
  const record = (type: string, part: JsonObject): JsonObject => ({
    ...{ uuid: type, parentUuid: null, sessionId: 's', timestamp: time, type, cwd: '/w', version: '0.21.13' },
    message: { role: type === 'assistant' ? 'model' : 'user', parts: [part] }
  })
  const call = { functionCall: { id: 'c', name: 'read_file', args: { file_path: '/w/a.ts', offset: 1, limit: 2 } } }
  const shown = async (output: string) => {
    const answer = { functionResponse: { id: 'c', name: 'read_file', response: { output } } }
    return (await known(qwen, 'a.ts', record('assistant', call), record('tool_result', answer))).content
  }
  const content = await shown('Showing lines 2-3 of 4 total lines.\n\n---\n\ntwo\nthree')
  expect(linesOf(content)).toEqual([null, 'two', 'three', null])
  expect((await shown('Showing lines 2-3 of at least 4 total lines.\n\n---\n\ntwo\nthree')).total).toBe(null)
})

test('an editor with commands shows, adds lines, and does what no rule tells', async () => {
  const call = (id: number, command: string, more: JsonObject): JsonObject => ({
    ...{ kind: 'ActionEvent', id: `a${id}`, timestamp: time, source: 'agent', thought: [] },
    action: { kind: 'FileEditorAction', command, path: '/w/a.ts', ...more },
    ...{ tool_name: 'file_editor', tool_call_id: `c${id}` },
    tool_call: {
      ...{ id: `c${id}`, name: 'file_editor' },
      arguments: JSON.stringify({ command, path: '/w/a.ts', ...more })
    }
  })
  const answer = (id: number, text: string): JsonObject => ({
    ...{ kind: 'ObservationEvent', id: `o${id}`, timestamp: time, source: 'environment' },
    ...{ tool_name: 'file_editor', tool_call_id: `c${id}`, action_id: `a${id}` },
    observation: { kind: 'FileEditorObservation', content: [{ type: 'text', text }], is_error: false }
  })
  const view = "Here's the result of running `cat -n` on /w/a.ts:\n     1\tone\n     2\ttwo\n     3\t"
  const records = [call(1, 'view', {}), answer(1, view)]
  expect((await known(openhands, 'a.ts', ...records)).text).toBe('one\ntwo\n')
  records.push(call(2, 'insert', { insert_line: 1, new_str: 'new\nmore' }), answer(2, 'ok'))
  expect((await known(openhands, 'a.ts', ...records)).text).toBe('one\nnew\nmore\ntwo\n')
  records.push(call(3, 'undo_edit', {}), answer(3, 'ok'))
  const { content } = await known(openhands, 'a.ts', ...records)
  expect([content.knownLines, content.unplaced === null]).toEqual([0, false])
})

test('lines without numbers of an agent whose forms are not known are not taken', async () => {
  const [call, result] = claudeCall('Read', { file_path: '/w/a.ts' }, undefined, 'one\ntwo\n')
  expect((await claude('a.ts', call ?? {}, result ?? {})).content.knownLines).toBe(0)
})
