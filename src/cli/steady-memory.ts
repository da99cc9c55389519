import { setFlagsFromString } from 'node:v8'

/**
 * For V8, before a command reads a log: the young generation grows fourfold, not twofold, and so takes its full size soon. In a long log it
 * would take it in the end: what memory a command needs does not depend on how long a log is.
 */
export function keepMemorySteady(): void {
  setFlagsFromString('--semi-space-growth-factor=4')
}
