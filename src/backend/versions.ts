/** Versions of npm: three numbers, an optional pre-release, an optional build that has no meaning. */
const pattern = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/

export function isVersion(text: string): boolean {
  return pattern.test(text)
}

/** Whether `other` is later than `own`, by semantic versioning. False if one is not a version. */
export function isNewerVersion(other: string, own: string): boolean {
  const [a, b] = [pattern.exec(other), pattern.exec(own)]
  if (!a || !b) return false
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part]) - Number(b[part])
    if (difference !== 0) return difference > 0
  }
  return comparePreReleases(a[4], b[4]) > 0
}

/** A release is later than its pre-releases. Of two pre-releases the first different part decides, then the length. */
function comparePreReleases(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  if (a === undefined) return 1
  if (b === undefined) return -1
  const [left, right] = [a.split('.'), b.split('.')]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = comparePreReleaseParts(left[i] ?? '', right[i] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Numbers by value and before words; words by code units. */
function comparePreReleaseParts(a: string, b: string): number {
  if (a === b) return 0
  const [isA, isB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isA && isB) return Number(a) - Number(b)
  if (isA !== isB) return isA ? -1 : 1
  return a < b ? -1 : 1
}
