import type { LogFormat } from '#core/formats/log-format.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import type { FileContent } from '#core/files/file-content.ts'
import { RunContents } from '#core/files/run-contents.ts'
import { RunIndex } from '#core/index/run-index.ts'
import type { JsonObject } from '#core/json.ts'
import { RowReader } from '#queries/row-reader.ts'

/** The files of a log with these records. */
export interface FilesOf {
  readonly index: RunIndex
  readonly contents: RunContents
  readonly reader: RowReader
  /** By the end of its path. */
  readonly file: (path: string) => FileContent
}

/** Reads a log of this format as a host does: an index first, then its rows again. */
export async function filesOf(format: LogFormat, records: readonly JsonObject[], at = Infinity): Promise<FilesOf> {
  const bytes = new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const index = new RunIndex(format)
  const read = new RunReader(format, index)
  read.push(0, bytes)
  read.end()
  const source = { read: async (offset: number, length: number) => bytes.slice(offset, offset + length) }
  const reader = new RowReader({ format, files: [{ name: undefined, source }], framingOf: () => 'lines' })
  const contents = new RunContents()
  const { rows } = index
  for (let row = 0; row < rows.rows && rows.seqOf(row) <= at; row = contents.files.rows) {
    const { event, facts } = contents.needsEvent(index)
      ? await reader.readRecord(index, row)
      : { event: null, facts: {} }
    contents.add(index, event, facts)
  }
  const file = (path: string): FileContent => {
    const found = contents.contents[contents.files.numberOf(path)]
    if (found === undefined) throw new Error(`no content of ${path}`)
    return found
  }
  return { index, contents, reader, file }
}

let ids = 0

const envelope = (type: string, content: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type, uuid: `u${ids++}`, sessionId: 's', cwd: '/w', timestamp: '2026-01-01T00:00:00.000Z', ...more },
  message: { role: type, content: [content] }
})

/** A call and its result as Claude Code writes them. `noted`: what the tool notes beside its answer; undefined: nothing. */
export function claudeCall(
  name: string,
  input: JsonObject,
  noted: JsonObject | string | undefined,
  said = 'ok',
  more: JsonObject = {}
): JsonObject[] {
  const id = `toolu_${ids++}`
  return [
    envelope('assistant', { type: 'tool_use', id, name, input }, more),
    envelope(
      'user',
      { type: 'tool_result', tool_use_id: id, content: said, ...(typeof noted === 'string' ? { is_error: true } : {}) },
      { ...more, ...(noted === undefined ? {} : { toolUseResult: noted }) }
    )
  ]
}

/** A read of a whole file, or of a part of it from line `startLine` on. */
export function claudeRead(filePath: string, content: string, startLine = 1, totalLines?: number): JsonObject[] {
  const numLines = content.split('\n').length
  const file = { filePath, content, numLines, startLine, totalLines: totalLines ?? numLines }
  return claudeCall('Read', { file_path: filePath }, { type: 'text', file })
}

export const claudeBash = (command: string, stdout = '', more: JsonObject = {}): JsonObject[] =>
  claudeCall('Bash', { command }, { stdout, stderr: '', interrupted: false }, stdout, more)

/** A command of Codex and its output, as a rollout has them. */
export function codexCall(cmd: string, output: string, workdir?: string): JsonObject[] {
  const call_id = `call_${ids++}`
  const args = JSON.stringify({ cmd, ...(workdir === undefined ? {} : { workdir }) })
  const item = (payload: JsonObject): JsonObject => ({
    timestamp: '2026-01-01T00:00:00Z',
    type: 'response_item',
    payload
  })
  return [
    item({ type: 'function_call', name: 'exec_command', arguments: args, call_id }),
    item({
      type: 'function_call_output',
      call_id,
      output: `Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${output}`
    })
  ]
}

export function codexPatch(input: string): JsonObject[] {
  const call_id = `call_${ids++}`
  const item = (payload: JsonObject): JsonObject => ({
    timestamp: '2026-01-01T00:00:00Z',
    type: 'response_item',
    payload
  })
  return [
    item({ type: 'custom_tool_call', status: 'completed', call_id, name: 'apply_patch', input }),
    item({ type: 'custom_tool_call_output', call_id, output: '{"output":"Success.","metadata":{"exit_code":0}}' })
  ]
}

export const codexStart: JsonObject = {
  timestamp: '2026-01-01T00:00:00Z',
  type: 'session_meta',
  payload: { id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/w', originator: 'codex_cli_rs', cli_version: '1' }
}
