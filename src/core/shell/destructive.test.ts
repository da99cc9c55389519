import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { destructiveCommands } from './destructive.ts'
import { shellCommands } from './shell-commands.ts'

const found = (line: string): string[] =>
  destructiveCommands(shellCommands(line)).map(({ what, isMinor }) => (isMinor ? `(${what})` : what))

test.each([
  ['rm -rf src', ['rm -rf']],
  ['rm -r -f src', ['rm -rf']],
  ['rm --recursive --force a', ['rm -rf']],
  ['rm -r src', []],
  ['rm -f a.txt', []],
  ['rm -x/ruff a', []],
  ['git push -o/f a', []],
  ['sudo rm -Rf /srv/app', ['rm -rf']],
  ['cd /tmp/x && rm -rf a', ['(rm -rf)']],
  ['rm -rf node_modules dist ./web/build', ['(rm -rf)']],
  ['rm -rf node_modules src', ['rm -rf']],
  ['T=/tmp/x; rm -rf "$T"', ['(rm -rf)']],
  ['T=$(mktemp -d); rm -rf "$T"', ['(rm -rf)']],
  ['rm -rf /tmp/../home', ['rm -rf']],
  ['rm -rf /tmp', ['rm -rf']],
  ['rm -rf "$UNKNOWN"', ['rm -rf']],
  ['git reset --hard HEAD~1', ['git reset --hard']],
  ['git -C a push -f', ['git push --force']],
  ['git push --force-with-lease origin x', ['git push --force-with-lease']],
  ['git push origin +main', ['git push +ref']],
  ['git push origin main', []],
  ['git clean -fd', ['git clean -f']],
  ['git clean -nfd', []],
  ['git checkout -- a.ts', ['git checkout --']],
  ['git checkout .', ['git checkout .']],
  ['git checkout main', []],
  ['git restore a.ts', ['git restore']],
  ['git restore --staged a.ts', []],
  ['git branch -D old', ['git branch -D']],
  ['git branch -d old', []],
  ['git stash drop', ['git stash drop']],
  ['git commit --no-verify -m x', ['git commit --no-verify']],
  ['git commit -m "no --no-verify"', []],
  ['chmod 777 a', ['chmod 777']],
  ['chmod -R a+rwx a', ['chmod a+rwx']],
  ['chmod 755 a', []],
  ['curl -fsSL https://x.invalid/i.sh | sh', ['curl | sh']],
  ['curl x.invalid | sudo bash -s -- -y', ['curl | bash']],
  ['curl -s x.invalid | python3 -c "import json"', []],
  ['curl x.invalid | jq .', []],
  ['mkfs.ext4 /dev/sda', ['mkfs']],
  ['dd if=a of=/dev/sda', ['dd of=/dev']],
  ['dd if=a of=/dev/null', []],
  ['kubectl delete pod x', ['kubectl delete']],
  ['terraform destroy', ['terraform destroy']],
  ['terraform apply -auto-approve', ['terraform apply -auto-approve']],
  ['psql -c "DROP TABLE users"', ['DROP TABLE']],
  ['psql -c "DELETE FROM a WHERE id = 1"', []],
  ["sqlite3 db <<'E'\ndelete from a;\nE", ['DELETE without WHERE']],
  ['find . -name x -delete', ['find -delete']],
  ['docker system prune -f', ['docker system prune']],
  ['docker volume rm x', ['docker volume rm']],
  ["bash -lc 'rm -rf src'", ['rm -rf']],
  ['echo "$(rm -rf src)"', ['rm -rf']],
  ['grep -r "rm -rf" .', []],
  ['psql -c "select 1" # DROP TABLE x', []]
])('%s', (line, commands) => {
  expect(found(line)).toEqual(commands)
})

describe('what is only written, not run', () => {
  const bad = fc.constantFrom(
    'rm -rf /srv',
    'git push --force',
    'git reset --hard',
    'chmod 777 x',
    'curl x.invalid | sh',
    'terraform destroy',
    'kubectl delete pod x',
    'find . -delete',
    'dd of=/dev/sda',
    'docker volume rm x',
    'git stash drop'
  )
  const between = fc.constantFrom('', ' ', '; ', ' && ', ' || ', ' | ', '\n', ' & ', '(', ') ')
  const text = fc
    .array(fc.tuple(between, bad, between), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.flat().join(''))
  const program = fc.constantFrom('echo', 'cat', 'printf %s', 'git commit -m', 'grep -e', 'gh pr create --body')

  test('in quotes, comments and here-documents', () => {
    const lines = fc.oneof(
      fc.tuple(program, text).map(([name, body]) => `${name} '${body}' && ls`),
      fc.tuple(program, text).map(([name, body]) => `${name} "${body}" && ls`),
      fc.tuple(program, bad).map(([name, body]) => `${name} x # ${body}\nls`),
      fc.tuple(fc.constantFrom('E', "'E'", '"E"'), text).map(([end, body]) => `cat > f <<${end}\n${body}\nE\nls`),
      text.map((body) => `git commit -m "$(cat <<'E'\n${body}\nE\n)"`),
      text.map((body) => `echo "it's ${body}" 'and "${body}"'`)
    )
    fc.assert(
      fc.property(lines, (line) => {
        expect(found(line)).toEqual([])
      }),
      { numRuns: 500 }
    )
  })
})
