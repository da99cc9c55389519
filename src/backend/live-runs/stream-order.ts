import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import { RunRequest, finishReasons } from '#contract/live-runs.ts'
import type { JsonValue } from '#core/json.ts'

/** What one line of `hooks.jsonl` told. */
const HookNote = z.object({
  /** Length of its line. */
  bytes: z.int().min(1),
  /** null: nothing that Playhead understands. */
  hook: z
    .object({
      session: z.string(),
      result: z
        .object({
          tool: z.string(),
          /** As text, or where the agent's own line stands that says the same: offset and length in the recording. */
          content: z.union([z.string(), z.tuple([z.int().min(0), z.int().min(1)])]),
          isError: z.boolean()
        })
        .nullable(),
      todos: z.array(z.custom<JsonValue>()).nullable()
    })
    .nullable()
})
export type HookNote = z.infer<typeof HookNote>

/**
 * All that the stream of a run that is over is made anew of, beside its recording and its standard error: in which order these were read, what
 * hooks told, and how the run ended. Small: it takes the place of the stream.
 */
export const StreamOrder = z.object({
  order: z.literal(1),
  /** Of the recording. */
  format: z.string(),
  timeLimitMs: RunRequest.shape.timeLimitMs,
  /** How long the recording is. */
  stdoutBytes: z.int().min(0),
  /** How long the stream is. */
  streamBytes: z.int().min(0),
  /**
   * Three numbers for each block: how much further than the one before it read the recording and standard error, in bytes, and the hooks, in
   * lines. A block that is not the last one is of one of them.
   */
  blocks: z.array(z.int().min(0)),
  hooks: z.array(HookNote),
  end: z.object({
    finishReason: z.enum(finishReasons),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    message: z.string().nullable()
  })
})
export type StreamOrder = z.infer<typeof StreamOrder>

/** Nobody made a run of so many blocks. */
const maxBytes = 1 << 28

export async function packOrder(order: StreamOrder): Promise<Buffer> {
  return await promisify(gzip)(JSON.stringify(order), { level: 9 })
}

/** Throws where it cannot be read, or is not understood. */
export async function readOrder(path: string): Promise<StreamOrder> {
  const text = await promisify(gunzip)(await readFile(path), { maxOutputLength: maxBytes })
  return StreamOrder.parse(JSON.parse(text.toString()))
}
