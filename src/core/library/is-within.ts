/** Whether a path is a folder or inside it, by names only. Windows paths work on any system. */
export function isWithin(path: string, folder: string, ignoresCase = false): boolean {
  const [inner, outer] = ignoresCase ? [path.toLowerCase(), folder.toLowerCase()] : [path, folder]
  // After a leading slash it is not a Windows path, and a backslash is part of a name.
  const isSeparator = (character: string | undefined): boolean =>
    character === '/' || (character === '\\' && !outer.startsWith('/'))
  let length = outer.length
  while (length > 1 && isSeparator(outer[length - 1])) length--
  if (!inner.startsWith(outer.slice(0, length))) return false
  return inner.length === length || isSeparator(inner[length]) || isSeparator(outer[length - 1])
}
