/** A query of each class, typed key by key. */
const queries = [
  'tool:Bash',
  'mcp:a',
  'status:error',
  '-kind:prompt',
  'todo:=in_progress',
  '"npm test"',
  'npm',
  '/npm (run|test)/',
  'seq:1000..900000',
  'at:14:05..14:10',
  'dur:>10s'
]
/** Rows that breakpoints are on. */
const stops = ['kind:tool', 'tool:Bash status:error', '"npm test"']
/** Steps to breakpoints. */
const steps = 40

/**
 * Types queries in the filter of the log that `page` shows, clears them, and steps among the rows of breakpoints. Gives for each the longest
 * task of the page's main thread: `ms` of its own time, and `wallMs` with what else the machine did meanwhile.
 */
export async function measureFilter(page) {
  // Selectors of roles would be answered by long tasks of their own.
  const field = page.locator('.filter-bar input')
  const clear = page.locator('.filter-bar button[aria-label="Clear the query"]')
  await page
    .locator('.filter-bar-count')
    .getByText(/^all [\d,]+ rows$/)
    .waitFor()
  // Until all rows are loaded.
  const slider = page.locator('[role=slider][aria-label=Playhead]')
  for (let before = ''; before !== (before = await slider.getAttribute('aria-valuemax'));)
    await page.waitForTimeout(2000)
  const found = []
  const measure = async (name, act) => {
    const longest = await longestTask(page, async () => {
      await act()
      await page.waitForFunction(() => !document.querySelector('.filter-bar .find-progress'))
      await page.waitForTimeout(200)
    })
    found.push({ name, ...longest })
  }
  for (const query of queries) {
    await measure(`type ${query}`, async () => {
      await field.click()
      await field.pressSequentially(query, { delay: 40 })
      // The search begins when nothing was typed for a while.
      await page.waitForTimeout(400)
    })
    await measure(`clear ${query}`, () => clear.click())
  }
  await page.keyboard.press('Escape')
  await page.locator('.timeline').focus()
  for (const stop of stops) {
    await measure(`breakpoint ${stop}`, async () => {
      await page.locator('button[aria-label="New breakpoint"]').click()
      await page.locator('.breakpoint-dialog input[role=combobox]').pressSequentially(stop, { delay: 40 })
      await page.keyboard.press('Enter')
      await page.waitForTimeout(2000)
    })
  }
  await page.locator('.timeline').focus()
  await measure(`${steps} steps to breakpoints`, async () => {
    for (let step = 0; step < steps; step++) await page.keyboard.press('x')
  })
  return found
}

/** Of the tasks of the page's main thread while `act` goes on. */
async function longestTask(page, act) {
  const browser = await page.context().browser().newBrowserCDPSession()
  const events = []
  browser.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  const completed = new Promise((resume) => void browser.once('Tracing.tracingComplete', resume))
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] }
  })
  await act()
  await browser.send('Tracing.end')
  await completed
  await browser.detach()
  const renderers = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`)
  )
  const tasks = events.filter(
    ({ pid, tid, ph, name }) => renderers.has(`${pid} ${tid}`) && ph === 'X' && /RunTask$/.test(name)
  )
  if (tasks.length === 0) throw new Error('Chromium told of no task')
  const most = (key) => Math.max(...tasks.map((task) => task[key] ?? 0)) / 1000
  return { ms: most('tdur'), wallMs: most('dur') }
}
