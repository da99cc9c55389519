const uuid7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/**
 * When a thread was started, in ms since the epoch: its id says so from October 2025 on (a UUID of version 7, RFC 9562 5.7).
 * Undefined for any other id.
 */
export function threadTime(threadId: string): number | undefined {
  const parts = threadId.length === 36 ? uuid7.exec(threadId) : null
  return parts === null ? undefined : parseInt(`${parts[1]}${parts[2]}`, 16)
}
