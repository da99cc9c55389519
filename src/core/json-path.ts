const identifier = /^[A-Za-z_$][\w$]{0,100}$/

/**
 * The JSON path of a member: `$.message`, `$.items[3]`, `$["a key"]`. `key` is a number in an array; a long key is cut. The
 * one writer of paths: the page finds what the host cut by comparing them.
 */
export function memberPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`
  return identifier.test(key) ? `${parent}.${key}` : `${parent}[${JSON.stringify(key.slice(0, 100))}]`
}
