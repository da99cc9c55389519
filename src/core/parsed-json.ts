import type * as z from 'zod'

/** The value of a JSON text by its schema; null for every other text. What was stored may be damaged or of another version. */
export function parsedJson<T>(schema: z.ZodType<T>, text: string | null | undefined): T | null {
  try {
    return schema.parse(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}
