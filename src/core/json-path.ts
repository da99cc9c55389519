const identifier = /^[A-Za-z_$][\w$]{0,100}$/

/**
 * The JSON path of a member: `$.message`, `$.items[3]`, `$["a key"]`. `key` is a number in an array; a long key is cut. The
 * one writer of paths: the page finds what the host cut by comparing them.
 */
export function memberPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`
  return identifier.test(key) ? `${parent}.${key}` : `${parent}[${JSON.stringify(key.slice(0, 100))}]`
}

const step = /\.([A-Za-z_$][\w$]{0,100})|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y

/** The value at a path of `memberPath`; undefined if there is none. A cut key matches the first key with that start. */
export function valueAtPath(root: unknown, path: string): unknown {
  let value = root
  let at = path.startsWith('$') ? 1 : path.length + 1
  while (at < path.length) {
    step.lastIndex = at
    const found = step.exec(path)
    if (found === null || typeof value !== 'object' || value === null) return undefined
    at = step.lastIndex
    value = memberAt(value, found[2] ?? found[1] ?? parsedKey(found[3] ?? ''))
  }
  return at === path.length ? value : undefined
}

function memberAt(container: object, key: string): unknown {
  if (Object.hasOwn(container, key)) return (container as Record<string, unknown>)[key]
  if (key.length < 100) return undefined
  const whole = Object.keys(container).find((name) => name.startsWith(key))
  return whole === undefined ? undefined : (container as Record<string, unknown>)[whole]
}

function parsedKey(text: string): string {
  try {
    return JSON.parse(text) as string
  } catch {
    return ''
  }
}
