import { expect, test } from 'vitest'
import { webLinks } from './web-links.ts'

test('pages that a search lists stand apart from its text', () => {
  const output =
    'Web search results for query: "x"\n\nLinks: [{"title":"A","url":"https://a.example"},{"url":"https://b.example"}]\n\nText.'
  expect(webLinks(output)).toEqual({
    links: [
      { title: 'A', url: 'https://a.example' },
      { title: 'https://b.example', url: 'https://b.example' }
    ],
    text: 'Web search results for query: "x"\n\nText.'
  })
})

test('a text that lists none is as it was', () => {
  for (const text of ['Links: [not json]', 'Links: []', 'Text.\n\n\n\nMore.'])
    expect(webLinks(text)).toEqual({ links: [], text })
})
