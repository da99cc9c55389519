import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How many elements of one look have their contrast measured. Some of them may lie under others, where axe cannot tell. */
const mostOfOneLook = 3

/**
 * What axe finds in a part of the page. Contrast takes axe most of its time, and depends on how an element looks: of the many that look
 * alike, as in the rows of a list, some are measured.
 */
export async function axeViolations(page: Page, part: string, rules?: readonly string[]): Promise<Result[]> {
  // The source takes as long to read as all rules but contrast to run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return await page.evaluate(
    async ({ part, rules, mostOfOneLook }) => {
      const lists = new Map<string, Element[]>()
      const numbers = new Map<string, number>()
      const numberOf = (key: string): number => {
        const number = numbers.get(key) ?? numbers.size
        numbers.set(key, number)
        return number
      }
      /** What an element stands on: its backgrounds and those of what it lies in. What adds nothing to them stands on the same. */
      const grounds = new Map<Element | null, number>()
      for (const element of document.querySelectorAll('*')) {
        element.removeAttribute('data-contrast')
        const style = getComputedStyle(element)
        const { backgroundColor, backgroundImage, opacity, filter, visibility } = style
        const adds = [
          backgroundColor,
          backgroundImage,
          opacity,
          filter,
          element.matches('[aria-disabled=true], :disabled')
        ]
        const below = grounds.get(element.parentElement) ?? -1
        const ground =
          String(adds) === 'rgba(0, 0, 0, 0),none,1,none,false' ? below : numberOf(`${below} ${String(adds)}`)
        grounds.set(element, ground)
        const text = [...element.childNodes].map((node) => (node instanceof Text ? node.data.trim() : '')).join('')
        // Axe takes a single character for a picture.
        if (text.length < 2 && !element.matches('input, select, textarea')) continue
        const { left, right, top, bottom } = element.getBoundingClientRect()
        const isSeen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && visibility === 'visible'
        const { color, fontSize, fontWeight, textShadow } = style
        // Large text needs less contrast.
        const large = Number.parseFloat(fontSize) * (Number(fontWeight) >= 700 ? 1.286 : 1) >= 24
        const look = [ground, color, large, textShadow, isSeen].join()
        const alike = lists.get(look) ?? []
        lists.set(look, alike)
        alike.push(element)
      }
      for (const alike of lists.values()) {
        const step = Math.max(1, (alike.length - 1) / (mostOfOneLook - 1))
        for (let at = 0; at < alike.length; at += step) alike[Math.round(at)]?.setAttribute('data-contrast', '')
      }
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-contrast]' }] })
      // Axe describes each element that passed unless it is told that only violations are read: more than half of its time.
      const { violations } = await axe.run(part, {
        resultTypes: ['violations'],
        ...(rules && { runOnly: [...rules] })
      })
      for (const element of document.querySelectorAll('[data-contrast]')) element.removeAttribute('data-contrast')
      return violations
    },
    { part, rules, mostOfOneLook }
  )
}
