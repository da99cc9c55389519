import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Arrivals } from './arrivals.ts'

const moments = fc.array(fc.constantFrom('before', 'while it is served', 'after'), { maxLength: 30 })

test('whenever requests come, each is served once, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(moments, async (all) => {
      const arrivals = new Arrivals<number>()
      const comes = (wanted: string): number[] => all.flatMap((moment, id) => (moment === wanted ? [id] : []))
      const [before, later, after] = [comes('before'), comes('while it is served'), comes('after')]
      const served: number[] = []
      let isFirst = true
      for (const id of before) arrivals.add(id)
      await arrivals.serve(async (id) => {
        if (isFirst) {
          isFirst = false
          for (const other of later) arrivals.add(other)
        }
        await Promise.resolve()
        served.push(id)
      })
      expect(served).toEqual(before.length === 0 ? [] : [...before, ...later])
      isFirst = false
      for (const id of after) arrivals.add(id)
      await new Promise((resolve) => setImmediate(resolve))
      expect(served).toEqual([...(before.length === 0 ? [] : [...before, ...later]), ...after])
    })
  )
})
