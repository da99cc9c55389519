import * as z from 'zod'
import type { JsonValue } from '../json.ts'

/** A question of an agent, with the choices it offers. A text of the person's own is always possible. */
export const AskQuestion = z.object({
  /** Names the question in the answer. */
  id: z.string(),
  /** A short title; null: none. */
  header: z.string().nullable(),
  question: z.string(),
  choices: z.array(z.object({ label: z.string(), note: z.string().nullable() })),
  /** More than one choice may be taken. */
  severalChoices: z.boolean(),
  /** The answer is kept nowhere. */
  isSecret: z.boolean()
})
export type AskQuestion = z.infer<typeof AskQuestion>

/** What an agent waits for a person to decide. */
export const Ask = z.object({
  /** The agent's request id (`askIdOf`). */
  id: z.string(),
  /** null: the main agent. */
  trackId: z.string().nullable(),
  /** The id of the call; null: not stated. */
  toolId: z.string().nullable(),
  /** `unknown`: a request that Playhead does not understand. It is shown raw, and can only be refused. */
  kind: z.enum(['tool', 'plan', 'question', 'unknown']),
  tool: z.string().nullable(),
  /** The whole input of the call, or the raw request. */
  input: z.json() as z.ZodType<JsonValue>,
  /** Where a command runs; null: not stated. */
  folder: z.string().nullable(),
  /** The agent's own words; null: none. */
  reason: z.string().nullable(),
  /** What "Allow for this run" covers, each a phrase: "all touch commands". Empty: it is not offered. */
  scopes: z.array(z.string()),
  /** Modes that accepting a plan may switch to, the default first. Empty: accepting changes no mode. */
  modes: z.array(z.string()),
  questions: z.array(AskQuestion),
  /** The agent marks it as one where refusing is the safer default. */
  needsCare: z.boolean(),
  /** Ms since the epoch. */
  since: z.number()
})
export type Ask = z.infer<typeof Ask>

/** A person's answer to an ask. */
export const Answer = z.union([
  /** `mode`: for a plan, one of `Ask.modes`; else the first of them. */
  z.strictObject({ allow: z.enum(['once', 'run']), mode: z.string().max(100).optional() }),
  z.strictObject({ refuse: z.string().max(100_000), endTurn: z.boolean() }),
  z.strictObject({
    /** For each question: choices by their labels, and a text of one's own. */
    answers: z.array(
      z.strictObject({
        id: z.string().max(10_000),
        choices: z.array(z.string().max(10_000)).max(100),
        text: z.string().max(100_000).nullable()
      })
    )
  })
])
export type Answer = z.infer<typeof Answer>
