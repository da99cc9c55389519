import { Output } from '#backend/export/output.ts'
import type { Environment } from './environment.ts'

export async function print(lines: readonly string[], { stdout }: Pick<Environment, 'stdout'>): Promise<void> {
  const output = new Output(stdout)
  for (const line of lines) output.line(line)
  await output.flush()
}
