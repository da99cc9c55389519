import { describe, expect, test } from 'vitest'
import type { TodoItem } from '../events/todo.ts'
import { WrittenList } from './written-list.ts'

const list = (...texts: string[]): TodoItem[] => texts.map((text) => ({ text, status: 'pending' }))

describe('a list that a tool writes as a whole', () => {
  test('counts from the call on, and stays when it is accepted', () => {
    const written = new WrittenList()
    written.call('a', list('one'))
    expect(written.current()).toEqual(list('one'))
    written.accept('a')
    expect(written.current()).toEqual(list('one'))
  })

  test('is what it was before where the call is rejected', () => {
    const written = new WrittenList()
    written.call('a', list('one'))
    written.accept('a')
    written.call('b', list('two'))
    expect(written.reject('b')).toEqual(list('one'))
    expect(written.current()).toEqual(list('one'))
  })

  test('a rejected call that a later one has replaced takes nothing back', () => {
    const written = new WrittenList()
    written.call('a', list('one'))
    written.call('b', list('two'))
    expect(written.reject('a')).toBeNull()
    expect(written.current()).toEqual(list('two'))
    expect(written.reject('b')).toEqual([])
  })

  test('what is not known to be open changes nothing', () => {
    const written = new WrittenList()
    written.call('a', list('one'))
    written.accept('b')
    expect(written.reject('b')).toBeNull()
    expect(written.current()).toEqual(list('one'))
  })

  test('is settled by who knows better', () => {
    const written = new WrittenList()
    written.call('a', list('one'))
    expect(written.stand(list('other'))).toBe(true)
    expect(written.stand(list('other'))).toBe(false)
    expect(written.reject('a')).toBeNull()
    expect(written.current()).toEqual(list('other'))
  })

  test('of very many calls without an answer the oldest count as accepted', () => {
    const written = new WrittenList()
    for (let index = 0; index <= 150; index += 1) written.call(`call ${index}`, list(`item ${index}`))
    expect(written.reject('call 0')).toBeNull()
    for (let index = 150; index > 51; index -= 1) expect(written.reject(`call ${index}`)).not.toBeNull()
    expect(written.reject('call 51')).toEqual(list('item 50'))
  })
})
