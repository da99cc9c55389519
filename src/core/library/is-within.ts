/**
 * Whether a path is that of a folder or of what stands below it, by their names alone. Paths of Windows are understood on any system, since logs come from
 * other ones.
 */
export function isWithin(path: string, folder: string, ignoresCase = false): boolean {
  const [inner, outer] = ignoresCase ? [path.toLowerCase(), folder.toLowerCase()] : [path, folder]
  // What begins with a slash is no path of Windows: a backslash is a character of its names.
  const isSeparator = (character: string | undefined): boolean =>
    character === '/' || (character === '\\' && !outer.startsWith('/'))
  let length = outer.length
  while (length > 1 && isSeparator(outer[length - 1])) length--
  if (!inner.startsWith(outer.slice(0, length))) return false
  return inner.length === length || isSeparator(inner[length]) || isSeparator(outer[length - 1])
}
