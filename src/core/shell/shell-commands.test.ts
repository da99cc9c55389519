import { expect, test } from 'vitest'
import { commandsOfCall, shellCommands } from './shell-commands.ts'

function read(line: string): string {
  return shellCommands(line)
    .map(
      ({ name, words, operator }) =>
        `${name}(${words
          .slice(1)
          .map(({ text }) => text)
          .join('|')})${operator}`
    )
    .join(' ')
}

test.each([
  ["bash -lc 'make test && ls' | tail", 'make(test)&& ls()| tail()'],
  ['sh -c "sh -c \'rm x\'"', 'rm(x)'],
  ['sudo -u me rm -rf x', 'rm(-rf|x)'],
  ['env A=1 B=2 make', 'make()'],
  ['timeout 60 npm test', 'npm(test)'],
  ['find . | xargs -n 1 rm -f', 'find(.)| rm(-f)'],
  ['uv run --with x pytest -q', 'pytest(-q)'],
  ['poetry run python -m pytest', 'python(-m|pytest)'],
  ['npx --yes vitest run', 'vitest(run)'],
  ['docker run --rm -v a:b image sh -c "cargo test"', 'cargo(test)'],
  ['docker run image', 'docker(run|image)'],
  ['nix develop -c make test', 'make(test)'],
  ['powershell.exe -Command "npm test; ls"', 'npm(test); ls()'],
  ['/usr/bin/env python x.py', 'python(x.py)'],
  ["bash <<'E'\nmake\nE", 'make()\n'],
  ["bash x.sh <<'E'\nmake\nE", 'bash(x.sh)\n'],
  ['eval "make test"', 'make(test)'],
  ['sudo', 'sudo()'],
  ['constructor x', 'constructor(x)']
])('%j', (line, commands) => {
  expect(read(line)).toBe(commands)
})

test('a call has its line, its words, or the first call of its script', () => {
  const names = (input: Parameters<typeof commandsOfCall>[0]): unknown =>
    commandsOfCall(input)?.map(({ name, words }) => [name, words.length])
  expect(names({ command: 'ls; pwd' })).toEqual([
    ['ls', 1],
    ['pwd', 1]
  ])
  expect(names({ command: ['bash', '-lc', 'ls; pwd'] })).toEqual([
    ['ls', 1],
    ['pwd', 1]
  ])
  // No shell reads it, so it is one command.
  expect(names({ command: ['echo', 'a; rm -rf /'] })).toEqual([['echo', 2]])
  expect(names({ cmd: 'make' })).toEqual([['make', 1]])
  expect(names({ action: { command: ['ls'] } })).toEqual([['ls', 1]])
  expect(names({ input: 'const r = await tools.exec_command({cmd: "make test"}); text(r)' })).toEqual([['make', 2]])
  expect(names({ path: 'a' })).toBe(undefined)
  expect(names({ command: { a: 1 } })).toBe(undefined)
})
