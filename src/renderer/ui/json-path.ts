const identifier = /^[A-Za-z_$][\w$]{0,100}$/

/**
 * The JSON path of a member: `$.message`, `$.items[3]`, `$["a key"]`. `key` is a number in an array. Written as the host
 * writes the paths of what it cut, long keys included.
 */
export function memberPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`
  return identifier.test(key) ? `${parent}.${key}` : `${parent}[${JSON.stringify(key.slice(0, 100))}]`
}
