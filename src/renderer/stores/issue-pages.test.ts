import { expect, test } from 'vitest'
import { type CannedIssue, issueHandler } from '../../../test/page/issues.ts'
import { IssuePages } from './issue-pages.ts'

/** The pages of a log whose issues may grow, with delayed answers. */
function pagesOf(issues: readonly CannedIssue[]): { pages: IssuePages; answer: () => Promise<void> } {
  const held: (() => void)[] = []
  const handler = issueHandler(issues)
  const pages = new IssuePages(async (asked) => {
    if (asked.code !== undefined) await new Promise<void>((resume) => held.push(resume))
    return await handler({ log: 'log', ...asked })
  })
  const answer = async (): Promise<void> => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.splice(0).forEach((resume) => resume())
  }
  return { pages, answer }
}

const issue = (row: number): CannedIssue => ({ row, code: 'JsonParse' })

test('waits for an issue newer than its page', async () => {
  const issues = [issue(0), issue(1)]
  const { pages, answer } = pagesOf(issues)
  pages.refresh(0)
  const first = pages.awaited({ code: 'JsonParse', at: 1 })
  await answer()
  expect(await first).toMatchObject({ row: 1 })

  issues.push(issue(2))
  pages.refresh(0)
  const later = pages.awaited({ code: 'JsonParse', at: 2 })
  await answer()
  expect(await later).toMatchObject({ row: 2 })
})

test('waits for a missing issue only until its page is loaded', async () => {
  const { pages, answer } = pagesOf([issue(0)])
  pages.refresh(0)
  const none = pages.awaited({ code: 'JsonParse', at: 5 })
  await answer()
  expect(await none).toBeUndefined()
})
