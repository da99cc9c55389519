import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellSegments } from './shell-line.ts'

/** Each command as its words in brackets, and what stands after it. */
function read(line: string): string {
  return shellSegments(line)
    .map(({ words, operator }) => `[${words.map(({ text }) => text).join('|')}]${operator === '\n' ? '↵' : operator}`)
    .join(' ')
}

test.each([
  ['ls -la', '[ls|-la]'],
  ['cd a && make test', '[cd|a]&& [make|test]'],
  ['a; b|c || d & e', '[a]; [b]| [c]|| [d]& [e]'],
  [`echo "a; b" 'c && d' e\\ f`, '[echo|a; b|c && d|e f]'],
  ['A=1 B="x y" make', '[make]'],
  ['a # rm -rf /\nb', '[a]↵ [b]'],
  ['a#b c', '[a#b|c]'],
  ['if [ -d x ]; then rm x; fi', '[[|-d|x|]]; [rm|x];'],
  ['for f in a b; do rm "$f"; done', '[for|f|in|a|b]; [rm|$f];'],
  ['(cd a; ls) && b', '[cd|a]; [ls]; [b]'],
  ['make 2>&1 | tail -5 > out.txt', '[make]| [tail|-5]'],
  ['make &> log; b', '[make]; [b]'],
  ['a |\n b', '[a]| [b]'],
  ['a \\\n  b', '[a|b]'],
  ['echo "$(git log | head -1)" x', '[git|log]| [head|-1] [echo|$(git log | head -1)|x]'],
  ['echo `date -u` x', '[date|-u] [echo|`date -u`|x]'],
  ["cat <<'EOF' > f\nrm -rf /\nEOF\nls", '[cat]↵ [ls]'],
  ['cat <<-E\n\trm x\n\tE\nls', '[cat]↵ [ls]'],
  [
    'git commit -m "$(cat <<\'EOF\'\nrm -rf /\nEOF\n)" && push',
    "[cat]↵ [git|commit|-m|$(cat <<'EOF'\nrm -rf /\nEOF\n)]&& [push]"
  ],
  ['cat <<EOF\nnever closed; rm x', '[cat]↵'],
  ["echo 'never closed; rm x", '[echo|never closed; rm x]'],
  ['echo "never closed; rm x', '[echo|never closed; rm x]'],
  ['diff <(ls a) <(ls b)', '[ls|a] [ls|b] [diff]'],
  ['echo ${A:-x;y} $B', '[echo|${A:-x;y}|$B]'],
  ['', ''],
  [';;;', '']
])('%j', (line, segments) => {
  expect(read(line)).toBe(segments)
})

test('a command has its assignments, the files that it writes, and its here-document', () => {
  expect(shellSegments('A=/tmp/x cat <<E >> "$A/f" 2>err\nbody\nE')).toMatchObject([
    { assigned: [['A', { text: '/tmp/x' }]], writes: ['$A/f', 'err'], here: 'body\n', words: [{ text: 'cat' }] }
  ])
})

test('a pipe, a substitution, quotes and variables are told', () => {
  expect(shellSegments('a | b $X "$(c)" \'$Y\'')).toMatchObject([
    { piped: false, words: [{ text: 'a' }] },
    { inner: true, words: [{ text: 'c' }] },
    {
      piped: true,
      inner: false,
      words: [
        { text: 'b', quoted: false, expands: false },
        { text: '$X', quoted: false, expands: true },
        { quoted: true, expands: true },
        { text: '$Y', quoted: true, expands: false }
      ]
    }
  ])
})

describe('hostile lines', () => {
  test('any text is read', () => {
    const part = fc.constantFrom(...'\'"`$(){}<>|&;#\\\n\t =ab01-'.split(''), '<<E', '\nE\n', '$(', 'rm -rf x')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        for (const { words } of shellSegments(parts.join('')))
          for (const { text } of words) expect(text).not.toBe(undefined)
      }),
      { numRuns: 2000 }
    )
  })

  // Each would overflow the stack or take minutes if it were not linear.
  test.each([
    ['brackets', '('.repeat(300_000)],
    ['substitutions', '$('.repeat(300_000)],
    ['backticks', '`'.repeat(300_001)],
    ['quotes', `"'`.repeat(300_000)],
    ['here-documents', '<<E '.repeat(100_000)],
    ['bodies without an end', 'cat <<E\n'.repeat(100_000)],
    ['commands', 'a;'.repeat(300_000)],
    ['assignments', 'a=1 '.repeat(200_000)],
    ['files', '>a '.repeat(200_000)],
    ['a long word', 'a'.repeat(50_000_000)],
    ['variables', '$a${'.repeat(200_000)]
  ])('%s', (_what, line) => {
    expect(shellSegments(line).length).toBeLessThanOrEqual(300_000)
  })
})

describe('a shell of Windows', () => {
  const words = (line: string, shell: 'powershell' | 'cmd'): string[][] =>
    shellSegments(line, shell).map((segment) => segment.words.map(({ text }) => text))

  test('keeps the backslashes of paths', () => {
    expect(words(String.raw`Get-Content src\Main.ts; type "C:\Users\Ada L\a.ts"`, 'powershell')).toEqual([
      ['Get-Content', String.raw`src\Main.ts`],
      ['type', String.raw`C:\Users\Ada L\a.ts`]
    ])
    expect(words(String.raw`cd /d C:\work && type src\it's.ts | more`, 'cmd')).toEqual([
      ['cd', '/d', String.raw`C:\work`],
      ['type', String.raw`src\it's.ts`],
      ['more']
    ])
    expect(words(String.raw`\\nas\work\tool.exe \x`, 'powershell')).toEqual([
      [String.raw`\\nas\work\tool.exe`, String.raw`\x`]
    ])
  })

  test('has escapes and variables of its own', () => {
    expect(words('echo a`;b "c`"d" `\n  e', 'powershell')).toEqual([['echo', 'a;b', 'c"d', 'e']])
    expect(words('echo a^&b "c^d"', 'cmd')).toEqual([['echo', 'a&b', 'c^d']])
    const expands = (line: string, shell: 'powershell' | 'cmd') => shellSegments(line, shell).at(-1)?.words[1]?.expands
    expect(expands(String.raw`gc $env:TEMP\a.ts`, 'powershell')).toBe(true)
    expect(expands(String.raw`type %TEMP%\a.ts`, 'cmd')).toBe(true)
    expect(expands(String.raw`type 100%\a.ts`, 'cmd')).toBe(false)
    expect(expands('gc $(hostname)', 'powershell')).toBe(true)
  })

  test('any line ends, and is read by every shell', () => {
    const part = fc.constantFrom(
      '\\',
      '`',
      '^',
      '"',
      "'",
      '$',
      '$(',
      ')',
      '%A%',
      '!',
      '#',
      ';',
      '&',
      '|',
      '<',
      '>',
      ' ',
      '\n',
      'a',
      '{',
      '}'
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.constantFrom('powershell', 'cmd', 'sh'), (parts, shell) => {
        expect(shellSegments(parts.join(''), shell).length).toBeLessThanOrEqual(41)
      })
    )
  })
})
