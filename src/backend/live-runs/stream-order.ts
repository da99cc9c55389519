import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod'
import { DialogueNote } from '#core/bridge/dialogue-note.ts'
import { RunRequest, finishReasons } from '#contract/live-runs.ts'
import type { JsonValue } from '#core/json.ts'

/** A line of `hooks.jsonl`. */
const HookNote = z.object({
  /** Length of the line. */
  bytes: z.int().min(1),
  /** Null: not understood. */
  hook: z
    .object({
      session: z.string(),
      result: z
        .object({
          tool: z.string(),
          /** The text, or the offset and length of the equal line in the recording. */
          content: z.union([z.string(), z.tuple([z.int().min(0), z.int().min(1)])]),
          isError: z.boolean()
        })
        .nullable(),
      todos: z.array(z.custom<JsonValue>()).nullable()
    })
    .nullable(),
  /** From the host of an interactive run. */
  dialogue: DialogueNote.optional()
})
export type HookNote = z.infer<typeof HookNote>

/** Data to rebuild a finished run's stream from its output: the order of reads, the hooks and the end. */
export const StreamOrder = z.object({
  order: z.literal(1),
  /** The recording's log format. */
  format: z.string(),
  timeLimitMs: RunRequest.shape.timeLimitMs,
  interactive: z.boolean().optional(),
  /** Size of the recording. */
  stdoutBytes: z.int().min(0),
  /** Size of the stream. */
  streamBytes: z.int().min(0),
  /** Three numbers per block: bytes of recording and standard error, lines of hooks. Only in the last, several are not 0. */
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

/** Far more than any run has. */
const maxBytes = 1 << 28

export async function packOrder(order: StreamOrder): Promise<Buffer> {
  return await promisify(gzip)(JSON.stringify(order), { level: 9 })
}

/** Throws if it is unreadable or invalid. */
export async function readOrder(path: string): Promise<StreamOrder> {
  const text = await promisify(gunzip)(await readFile(path), { maxOutputLength: maxBytes })
  return StreamOrder.parse(JSON.parse(text.toString()))
}
