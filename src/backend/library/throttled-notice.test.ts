import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ThrottledNotice } from './throttled-notice.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('comes four times a second at most, the first one at once', () => {
  const notify = vi.fn()
  const notice = new ThrottledNotice(notify)
  for (let ms = 0; ms < 990; ms += 10) {
    notice.soon()
    vi.advanceTimersByTime(10)
  }
  expect(notify).toHaveBeenCalledTimes(4)
})

test('one that may wait comes with the next that may not', () => {
  const notify = vi.fn()
  const notice = new ThrottledNotice(notify)
  notice.soon(2000)
  vi.advanceTimersByTime(1000)
  expect(notify).not.toHaveBeenCalled()
  notice.soon()
  notice.soon(2000)
  vi.advanceTimersByTime(1)
  expect(notify).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(5000)
  expect(notify).toHaveBeenCalledTimes(1)
  notice.soon(2000)
  vi.advanceTimersByTime(2000)
  expect(notify).toHaveBeenCalledTimes(2)
  notice.soon()
  notice.close()
  vi.advanceTimersByTime(5000)
  expect(notify).toHaveBeenCalledTimes(2)
})
