import { expect, test } from 'vitest'
import { parseDeepLink } from './deep-link.ts'

const link = (query: string): string => `playhead://open?${query}`

test('a link has the absolute path of a log and an event', () => {
  expect(parseDeepLink(link('path=%2Flogs%2Fa%20run.jsonl&seq=12'), 'linux')).toEqual({
    path: '/logs/a run.jsonl',
    seq: 12,
    where: undefined
  })
  expect(parseDeepLink('playhead://open/?path=/logs/x/../a%2B%F0%9D%84%9E.jsonl', 'darwin')).toEqual({
    path: '/logs/a+𝄞.jsonl',
    seq: undefined,
    where: undefined
  })
  expect(parseDeepLink(link(`path=/a&where=${encodeURIComponent('todo:"a b"=done -x&y')}`), 'linux')).toEqual({
    path: '/a',
    seq: undefined,
    where: 'todo:"a b"=done -x&y'
  })
  expect(parseDeepLink(link('path=C%3A%5Clogs%5Ca.jsonl'), 'win32')).toEqual({
    path: 'C:\\logs\\a.jsonl',
    seq: undefined,
    where: undefined
  })
})

test.each([
  '',
  'not a link',
  'https://open?path=/a',
  'playhead://app/?path=/a',
  'playhead://open/else?path=/a',
  'playhead://user@open?path=/a',
  'playhead:open?path=/a',
  link(''),
  link('path='),
  link('path=a.jsonl'),
  link('path=../a.jsonl'),
  link('path=file:///a'),
  link('path=/a&path=/b'),
  link('path=/a&seq=-1'),
  link('path=/a&seq=1.5'),
  link('path=/a&seq='),
  link('path=/a&seq=99999999999'),
  link('path=/a&run=1'),
  link('path=/a&where=a&where=b'),
  link('path=/a&where=a%00b'),
  link('path=/a&where=%E2%80%AEa'),
  link(`path=/a&where=${'a'.repeat(10_001)}`),
  link('path=/a%00b'),
  link('path=/a%0Ab'),
  link('path=/logs/%E2%80%AElnosj.a'),
  link(`path=/${'a'.repeat(4096)}`),
  `${link('path=/a')}#b`
])('%j is not a link', (text) => {
  expect(parseDeepLink(text, 'linux')).toBeNull()
})

test.each(['%2Fa', '%5C%5Chost%5Cshare%5Ca', '%2F%2Fhost%2Fshare', '%5C%5C%3F%5CC%3A%5Ca', 'C%3Aa', 'a'])(
  'on Windows a log lies on a drive, %s does not',
  (path) => {
    expect(parseDeepLink(link(`path=${path}`), 'win32')).toBeNull()
  }
)
