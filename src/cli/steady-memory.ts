import { setFlagsFromString } from 'node:v8'

/**
 * The young generation grows fourfold instead of twofold and soon reaches its limit, as a long log makes it do anyway.
 * So the memory of a command does not depend on the length of the log.
 */
export function keepMemorySteady(): void {
  setFlagsFromString('--semi-space-growth-factor=4')
}
