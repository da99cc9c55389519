/** A path whose `~` at its begin, alone or before a separator, is the home folder; any other as it is. */
export function withHome(path: string, home: string): string {
  return /^~(?=$|[\\/])/.test(path) ? home + path.slice(1) : path
}
