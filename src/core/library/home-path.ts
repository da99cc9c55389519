/** Replaces a leading `~`, alone or before a separator, by the home folder. */
export function withHome(path: string, home: string): string {
  return /^~(?=$|[\\/])/.test(path) ? home + path.slice(1) : path
}
