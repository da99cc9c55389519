import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { methods, type NoticeName, notices } from '#contract/methods.ts'
import { newFolder, processesOf, program } from '../../../test/run-processes.ts'
import { type Backend, createBackend } from '../handlers.ts'
import { createWorker } from '../indexer/create-worker.ts'

function backend(state?: string): { host: Backend; said: NoticeName[] } {
  const said: NoticeName[] = []
  const host = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1', sample: null, drops: null },
    notify(name, payload) {
      notices[name].parse(payload)
      said.push(name)
    },
    ...(state === undefined ? {} : { state })
  })
  return { host, said }
}

test('a host with a state folder starts agents, shows their runs as logs, and stops them when it is closed', async () => {
  const folder = newFolder()
  const { host, said } = backend(join(folder, 'state'))
  const { handlers } = host
  expect((await handlers['host.capabilities']({})).runs).toBe(true)
  const init = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })
  const command = program(folder, [
    ...['case "$1" in --version) echo 1.2.3; exit; esac', `echo '${init}'`, 'echo words >&2'],
    'while :; do sleep 0.05; done'
  ])
  await handlers['agent.setCommand']({ agent: 'claude', command })
  const { agents } = methods['agent.list'].result.parse(await handlers['agent.list']({}))
  expect(agents[0]).toMatchObject({ agent: 'claude', chosen: command, command, version: '1.2.3', problem: null })

  const request = {
    agent: 'claude',
    prompt: 'Wait',
    cwd: folder,
    model: null,
    mode: null,
    timeLimitMs: null,
    resumes: null
  } as const
  const { run, recording, format } = await handlers['run.start']({
    request: { ...request, extraArguments: [] },
    confirmed: false
  })
  const { log } = await handlers['log.open']({ path: recording, format })
  await expect.poll(async () => (await handlers['log.status']({ log })).sessionId).toBe('s')
  await expect.poll(async () => (await handlers['run.list']({})).runs[0]?.sessionId).toBe('s')
  const { runs } = methods['run.list'].result.parse(await handlers['run.list']({}))
  expect(runs).toMatchObject([{ run, version: '1.2.3', state: 'running', own: true }])
  await expect
    .poll(async () => Buffer.from((await handlers['run.stderr']({ run, from: 0, count: 10 })).bytes).toString())
    .toBe('words\n')
  expect((await handlers['run.stop']({ run })).state).toBe('stopping')
  await host.close()
  expect(processesOf(run)).toEqual([])
  const manifest = JSON.parse(readFileSync(join(folder, 'state/runs', run, 'run.json'), 'utf8')) as object
  expect(manifest).toMatchObject({ state: 'ended', finishReason: 'cancelled' })
  expect(said).toContain('run.changed')
})

test('one without says that it starts none', async () => {
  const { host } = backend()
  expect((await host.handlers['host.capabilities']({})).runs).toBe(false)
  expect(host.runs).toBeNull()
  await expect(host.handlers['run.list']({})).rejects.toMatchObject({ code: 'unavailable' })
  await host.close()
})
