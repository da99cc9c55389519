import { closeSync, openSync, writeSync } from 'node:fs'

/** Writes a log whose agent reads and edits many files. */
export function makeFileLog(out, events, files) {
  const target = openSync(out, 'w')
  let parts = []
  let size = 0

  function write(record) {
    const line = `${JSON.stringify(record)}\n`
    parts.push(line)
    size += line.length
    if (size < 1 << 22) return
    writeSync(target, parts.join(''))
    parts = []
    size = 0
  }

  const base = { sessionId: 's', cwd: '/home/me/project', version: '2.1.0' }
  let seq = 0
  let at = Date.UTC(2026, 0, 1)

  function message(type, content, more = {}) {
    seq++
    at += 500
    const uuid = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`
    write({ ...base, type, uuid, timestamp: new Date(at).toISOString(), message: { role: type, content }, ...more })
  }

  const linesOf = (file) => Array.from({ length: 40 }, (_, i) => `export const value${i} = compute(${file}, ${i})`)
  /** By file: how often it was edited. */
  const edited = new Map()
  let number = 1
  for (let call = 0; seq < events; call++) {
    number = (number * 1_103_515_245 + 12_345) % 2_147_483_648
    const file = call < 3 * files && call % 3 === 0 ? call / 3 : Math.floor((number / 2_147_483_648) * files)
    const path = `/home/me/project/packages/part${file % 97}/src/module${file}.ts`
    const id = `toolu_${call}`
    const result = (content, toolUseResult) =>
      message('user', [{ type: 'tool_result', tool_use_id: id, content }], { toolUseResult })
    // About 17 of 100 events tell of files, as in real logs.
    if (call % 3 === 2) {
      message('assistant', [
        { type: 'tool_use', id, name: 'Bash', input: { command: call % 9 === 2 ? 'npm test' : `rg -n value${call}` } }
      ])
      result('ok', { stdout: 'ok', stderr: '', interrupted: false })
    } else if (call % 3 === 1) {
      const version = edited.get(file) ?? 0
      const [old, now] = [version === 0 ? 'compute(' : `v${version}(`, `v${version + 1}(`]
      const [oldString, newString] = [`value7 = ${old}${file}`, `value7 = ${now}${file}`]
      edited.set(file, version + 1)
      message('assistant', [
        { type: 'tool_use', id, name: 'Edit', input: { file_path: path, old_string: oldString, new_string: newString } }
      ])
      result('The file has been updated.', {
        filePath: path,
        oldString,
        newString,
        structuredPatch: [],
        userModified: false
      })
    } else {
      const lines = linesOf(file)
      const version = edited.get(file) ?? 0
      if (version > 0) lines[7] = lines[7].replace('compute(', `v${version}(`)
      const content = `${lines.join('\n')}\n`
      message('assistant', [{ type: 'tool_use', id, name: 'Read', input: { file_path: path } }])
      result(content, { type: 'text', file: { filePath: path, content, numLines: 41, startLine: 1, totalLines: 41 } })
    }
    message('assistant', [{ type: 'text', text: `Step ${call}: next I look at what uses it, and then at its tests.` }])
    message('assistant', [{ type: 'text', text: `It is used in ${call % 7} places.` }])
  }
  writeSync(target, parts.join(''))
  closeSync(target)
}
